title "Two wires that cross, modelled twice: the bead arrives at rest"
param a = 0.5, v = 1
var q1 = 1, q1' = -v, q2 = 0, q2' = 0, lambda, mu
q1'' = a - (lambda + mu)*q2
q2'' = -(lambda + mu)*q1
0 = q1*q2
0 = q1*q2
over t = 0 .. 4
output q1, q2
