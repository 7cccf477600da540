# The stiff spring pendulum hanging at rest sideways but oscillating along its spring with frequency 1/eps.
# Source: Hairer, Lubich, Roche (1989), (1.25); with p = 0 the length is harmonic.
# Look at: steps follow the oscillation; with a loose tolerance it is damped away.
title "Stiff spring pendulum, oscillating"
param eps = 1e-2, A = 1e-2
var p = 0, q = -1 - eps^2 - A, u = 0, v = 0

p' = u
q' = v
u' = -p/sqrt(p^2 + q^2)*(sqrt(p^2 + q^2) - 1)/eps^2
v' = -q/sqrt(p^2 + q^2)*(sqrt(p^2 + q^2) - 1)/eps^2 - 1

over t = 0 .. 1
exact p = 0
exact q = -1 - eps^2 - A*cos(t/eps)
exact v = A/eps*sin(t/eps)
