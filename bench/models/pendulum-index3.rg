# Pendulum of the test set: L = m = g = 1, started horizontally at rest; position constraint.
title "Pendulum, index 3"
var p = 1, q = 0, u = 0, v = 0
var lam

p' = u
q' = v
u' = -p*lam
v' = -q*lam - 1
0 = p^2 + q^2 - 1

over t = 0 .. 10
