# Parallelogram linkage with one heavy crank.
# Look at: the multiplier of the coupler has a pole wherever the rods lie in one line.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Parallelogram linkage with one heavy crank (index 3)"
var x1 ~ 0.8775825618903728, y1 ~ 0.479425538604203, x2 ~ 2.8775825618903728, y2 ~ 0.479425538604203
var x1' ~ -3.355978770229421, y1' ~ 6.143077933232609, x2' ~ -3.355978770229421, y2' ~ 6.143077933232609
var l1, l2, l3
3*x1'' = -l1*x1 - l3*(x1 - x2)
3*y1'' = -l1*y1 - l3*(y1 - y2) - 14.715
x2'' = -l2*(x2 - 2) - l3*(-x1 + x2)
y2'' = -l2*y2 - l3*(-y1 + y2) - 9.81
0 = x1^2/2 + y1^2/2 - 1/2
0 = y2^2/2 + (x2 - 2)^2/2 - 1/2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 2
over t = 0 .. 10
output x1, y1, x2, y2, x1', y1', x2', y2'
