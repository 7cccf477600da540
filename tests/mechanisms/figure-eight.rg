# Bead on a figure eight.
# Look at: the wire crosses itself at the origin.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Bead on a figure eight (index 3)"
var x ~ 0.479425538604203, y ~ 0.8414709848078965
var x' ~ 1.7551651237807455, y' ~ 2.161209223472559
var l1
x'' = -l1*(4*x^3 - 4*x*(1 - x^2))
y'' = -l1*y - 2
0 = -2*x^2*(1 - x^2) + y^2/2
over t = 0 .. 10
output x, y, x', y'
