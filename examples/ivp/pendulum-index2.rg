# The pendulum with its constraint differentiated once: the velocity is tangent to the circle.
# Look at: the index is 2, and the length of the rod is no longer an equation, so it may drift.
# Source and reference: see pendulum-second-order.rg; at t = 10 p = -0.81158644619130383, q = -0.58423235134539570,
#   u = -0.63152914906501758, v = 0.87728879884106933, lambda = 1.7526970540361871
title "Pendulum, velocity constraint (index 2)"
var p = 1, q = 0, u = 0, v = 0
var lambda

p' = u
q' = v
u' = -p*lambda
v' = -q*lambda - 1
0 = 2*(p*u + q*v)

over t = 0 .. 10
