title "Two wires that touch"
var q1 = -1, q1' = 1, q2 = 0, q2' = 0, lambda
q1'' = 2*lambda*q1*q2
q2'' = -lambda*(2*q2 - q1^2)
0 = q2*(q2 - q1^2)
over t = 0 .. 2
output q1, q2
