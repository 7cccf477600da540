title "Wires that cross on a hill between two wells; energy of the crossing, times 1 + e"
param e = 0
var q1 = 1, q1' = -sqrt((1 + e)/2), q2 = 0, q2' = 0, lambda
q1'' = q1 - q1^3 - lambda*q2
q2'' = -lambda*q1
0 = q1*q2
over t = 0 .. 20
output q1, q2
