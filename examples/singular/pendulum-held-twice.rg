# A pendulum whose rod is modelled twice: one constraint is redundant everywhere, and of the two rod forces only the sum is determined.
# Look at: l = m, the forces of least norm.  The redundant line is named, and the rank that is left is watched.
# Source: tests of the method (doc/methods/passage.md, section 6).
# Reference at t = 5: x = 0.9423054350438, y = -0.3347543384140.
title "Pendulum with its constraint twice (index 3)"
param g = 9.81
var x = 1, y = 0, x' = 0, y' = 0
var l, m

x'' = -l*x - m*x
y'' = -l*y - m*y - g
(x^2 + y^2 - 1)/2 = 0
(x^2 + y^2 - 1)/2 = 0

over t = 0 .. 5
output x, y, l, m
