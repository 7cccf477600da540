# Change-point four-bar linkage 2-3-3-4.
# Look at: once in a turn all rods lie in one line.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Change-point four-bar linkage 2-3-3-4 (index 3)"
var x1 ~ 1.0806046117362795, y1 ~ 1.682941969615793, x2 ~ 1.3006341905784728, y2 ~ -1.3089783141542353
var x1' ~ -5.0488259088473795, y1' ~ 3.241813835208838, x2' ~ -1.6917418288195176, y2' ~ 3.488698018678995
var l1, l2, l3
x1'' = -l1*x1 - l2*(x1 - x2)
y1'' = -l1*y1 - l2*(y1 - y2) - 2
x2'' = -l2*(-x1 + x2) - l3*(x2 - 4)
y2'' = -l2*(-y1 + y2) - l3*y2 - 2
0 = x1^2/2 + y1^2/2 - 2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 9/2
0 = y2^2/2 + (x2 - 4)^2/2 - 9/2
over t = 0 .. 10
output x1, y1, x2, y2, x1', y1', x2', y2'
