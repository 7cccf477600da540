title "Wires that cross; a force that grows turns the bead back at t = 1, d before the crossing"
param d = 3e-3, k = 1.9
var q1 = d + 1/2 - k/6, q1' = -1 + k/2, q2 = 0, q2' = 0, lambda
q1'' = 1 + k*(t - 1) - lambda*q2
q2'' = -lambda*q1
0 = q1*q2
over t = 0 .. 2
output q1, q2
solve tol = 1e-4
