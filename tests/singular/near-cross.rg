title "A wire q1 q2 = e that nearly is a cross: the bead turns off"
param e = 1e-5
var q1 = 1, q1' = -1, q2 ~ e, q2' ~ e, lambda
q1'' = -lambda*q2
q2'' = -lambda*q1
0 = q1*q2 - e
over t = 0 .. 2
output q1, q2
