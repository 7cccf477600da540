# Bead on Viviani's curve.
# Look at: a sphere and a cylinder that touch it from inside.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Bead on Viviani's curve (index 3)"
var x ~ 0.5838531634528576, y ~ 0.9092974268256817, z ~ 1.682941969615793
var x' ~ -2.727892280477045, y' ~ -1.248440509641427, z' ~ 1.620906917604419
var l1, l2
x'' = -l1*x - l2*(x - 1)
y'' = -l1*y - l2*y - 1
z'' = -l1*z - 1
0 = x^2/2 + y^2/2 + z^2/2 - 2
0 = y^2/2 + (x - 1)^2/2 - 1/2
over t = 0 .. 10
output x, y, z, x', y', z'
