# A unit mass on two curved wires that cross; it starts on q2 = a(q1) and stays there.
# Look at: at every crossing the product of both wires loses its gradient.  The branches are curved, so that a wrong turn would
# show.  Reference at t = 20: q1 = -0.724693804300, q2 = -0.218482185148, q1' = -1.281399258567, from the motion with one
# coordinate u = q1, (1 + a'^2) u'' + a' a'' u'^2 = F1 + a' F2.
title "Curved cross (index 3)"
fun a(u) = 0.4*sin(1.3*u) + 0.2*u^2
var q1 = -1.2, q1' = 0.3, q2 ~ a(-1.2), lambda
q1'' = -2*q1 - 0.5 + lambda*((q2 - a(q1)) - (0.52*cos(1.3*q1) + 0.4*q1)*(q1 - q2/2 + 0.3*q2^2))
q2'' = -1 - q2 + lambda*((q1 - q2/2 + 0.3*q2^2) + (q2 - a(q1))*(-0.5 + 0.6*q2))
0 = (q2 - a(q1))*(q1 - q2/2 + 0.3*q2^2)
over t = 0 .. 20
output q1, q2, q1'
