# Bead on a nodal cubic.
# Look at: the wire crosses itself at the origin.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Bead on a nodal cubic (index 3)"
var x ~ -0.96, y ~ -0.192
var x' ~ 0.6, y' ~ -1.32
var l1
x'' = -l1*(-x^2/2 - x*(x + 1)) - 4*x - 1
y'' = -l1*y - 4*y + 1
0 = -x^2*(x + 1)/2 + y^2/2
over t = 0 .. 10
output x, y, x', y'
