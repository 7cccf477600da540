# The pendulum in the form of Gear, Gupta and Leimkuhler: position and velocity constraint together, with a second
# multiplier mu that is zero on the exact solution.
# Look at: index 2, and neither level drifts.
# Source and reference: see pendulum-second-order.rg; at t = 10 p = -0.81158644619130383, q = -0.58423235134539570,
#   u = -0.63152914906501758, v = 0.87728879884106933, lambda = 1.7526970540361871, mu = 0
title "Pendulum, stabilized form (GGL, index 2)"
var p = 1, q = 0, u = 0, v = 0
var lambda, mu

p' = u - 2*p*mu
q' = v - 2*q*mu
u' = -p*lambda
v' = -q*lambda - 1
0 = 2*(p*u + q*v)
0 = p^2 + q^2 - 1

over t = 0 .. 10
exact mu = 0
