title "Wires that cross; a constant force turns the bead back at the crossing for e = 0"
param e = 0
var q1 = 1, q1' = -sqrt(1 + e), q2 = 0, q2' = 0, lambda
q1'' = 1/2 - lambda*q2
q2'' = -lambda*q1
0 = q1*q2
over t = 0 .. 4
output q1, q2
