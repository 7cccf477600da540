# Bead on two cylinders of equal radius.
# Look at: the cylinders meet in two ellipses, which cross.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Bead on two cylinders of equal radius (index 3)"
var x ~ 0.7648421872844884, y ~ 0.644217687237691, z ~ 0.644217687237691
var x' ~ -1.288435374475382, y' ~ 1.5296843745689768, z' ~ 1.5296843745689768
var l1, l2
x'' = -l1*x - l2*x + 1/2
2*y'' = -l1*y - 2
z'' = -l2*z - 1
0 = x^2/2 + y^2/2 - 1/2
0 = x^2/2 + z^2/2 - 1/2
over t = 0 .. 10
output x, y, z, x', y', z'
