# Antiparallelogram linkage.
# Look at: crossed branch of the parallelogram, passes where both branches meet.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Antiparallelogram linkage (index 3)"
var x1 ~ 0.5403023058681398, y1 ~ 0.8414709848078965, x2 ~ 1.5425909928284038, y2 ~ -0.8892564310469139
var x1' ~ -1.682941969615793, y1' ~ 1.0806046117362795, x2' ~ -1.879511033500044, y2' ~ 0.9667686909941064
var l1, l2, l3
x1'' = -l1*x1 - l3*(x1 - x2)
y1'' = -l1*y1 - l3*(y1 - y2) - 1
x2'' = -l2*(x2 - 2) - l3*(-x1 + x2)
y2'' = -l2*y2 - l3*(-y1 + y2) - 1
0 = x1^2/2 + y1^2/2 - 1/2
0 = y2^2/2 + (x2 - 2)^2/2 - 1/2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 2
over t = 0 .. 10
output x1, y1, x2, y2, x1', y1', x2', y2'
