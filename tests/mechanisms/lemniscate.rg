# Bead on a lemniscate.
# Look at: the wire crosses itself.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Bead on a lemniscate (index 3)"
var x ~ 0.9428526522558323, y ~ 0.18731590546201474
var x' ~ -1.6330448735020573, y' ~ 2.447739184737776
var l1
x'' = -l1*(2*x*(x^2 + y^2) - x) + 1/2
y'' = -l1*(2*y*(x^2 + y^2) + y) - 1
0 = -x^2/2 + y^2/2 + (x^2 + y^2)^2/2
over t = 0 .. 10
output x, y, x', y'
