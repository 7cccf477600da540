title "Two wires that cross: the bead arrives almost at rest"
param w = 0.001
var q1 = 1, q1' = -1, q2 = 0, q2' = 0, lambda
q1'' = (1 - w^2)/2 - lambda*q2
q2'' = -lambda*q1
0 = q1*q2
over t = 0 .. 4
output q1, q2
