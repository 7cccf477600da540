# combined-cross.rg with a force that stops the bead at the crossing.
title "Crossing wires, arrival at rest; an index from combinations (index 3)"
var q1 = 1, q2 = 0, u = -1, v = 0, lambda
q1' = u
q2' = v
u' = 1/2 - lambda*q2
u' + 2*v' = 1/2 - lambda*(q2 + 2*q1)
u' + 2*v' = 1/2 - lambda*(q2 + 2*q1) + q1*q2
over t = 0 .. 4
output q1, q2
