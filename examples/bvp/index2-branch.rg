# Index 2: the constraint holds x1, the multiplier y follows from its derivative; eps is the pivot.
# Source: Ascher, Spiteri, Collocation software for boundary value differential-algebraic equations (1994), on the branch
# x1 = sin(t) of its constraint 0 = (x1 - sin(t))*(y - exp(t)).
title "Ascher-Spiteri, index 2"
param eps = 1e-4
var x1, x2, x3, y

x1' = (eps + x2 - sin(t))*y + cos(t)
x2' = cos(t)
x3' = y
0 = x1 - sin(t)

over t = 0 .. 1
boundary x3(0) = 1
boundary x2(1) = sin(1)
exact x1 = sin(t)
exact x2 = sin(t)
exact x3 = 1
exact y = 0
