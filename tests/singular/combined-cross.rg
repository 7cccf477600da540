# Two wires that cross at 0: the constraint is the difference of two equations of motion.
title "Crossing wires; an index from combinations (index 3)"
var q1 = 1, q2 = 0, u = -1, v = 0, lambda
q1' = u
q2' = v
u' = -q1/10 - lambda*q2
u' + 2*v' = -q1/10 - lambda*(q2 + 2*q1)
u' + 2*v' = -q1/10 - lambda*(q2 + 2*q1) + q1*q2
over t = 0 .. 2
exact q1 = cos(t/sqrt(10)) - sqrt(10)*sin(t/sqrt(10)), q2 = 0
output q1, q2
