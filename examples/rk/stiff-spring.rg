# A pendulum on a stiff spring with Hooke's constant 1/eps^2, started on its smooth solution: the length of the spring
# follows from the other values up to terms of size eps^4.
# Source: Hairer, Lubich, Roche (1989), (1.25).
# Reference at t = 2 (two methods, 9 digits): p = -0.204188718, q = -0.978934544.
# Look at: the motion is that of the pendulum up to eps^2, and steps do not see the frequency 1/eps.
title "Stiff spring pendulum, smooth solution"
param eps = 1e-3
var p = 1, q = 0, u = 0, v = 0

p' = u
q' = v
u' = -p/sqrt(p^2 + q^2)*(sqrt(p^2 + q^2) - 1)/eps^2
v' = -q/sqrt(p^2 + q^2)*(sqrt(p^2 + q^2) - 1)/eps^2 - 1

over t = 0 .. 2
output p, q, energy = (u^2 + v^2)/2 + q + (sqrt(p^2 + q^2) - 1)^2/(2*eps^2)
