# Rhombus linkage.
# Look at: stretched and folded positions; folded, one end meets a fixed joint.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Rhombus linkage (index 3)"
var x1 ~ 0.5403023058681398, y1 ~ 0.8414709848078965, x2 ~ 1.5403023058681398, y2 ~ 0.8414709848078965
var x1' ~ -5.890296893655275, y1' ~ 3.782116141076978, x2' ~ -5.890296893655275, y2' ~ 3.782116141076978
var l1, l2, l3
x1'' = -l1*x1 - l3*(x1 - x2)
y1'' = -l1*y1 - l3*(y1 - y2) - 9.81
2*x2'' = -l2*(x2 - 1) - l3*(-x1 + x2)
2*y2'' = -l2*y2 - l3*(-y1 + y2) - 19.62
0 = x1^2/2 + y1^2/2 - 1/2
0 = y2^2/2 + (x2 - 1)^2/2 - 1/2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 1/2
over t = 0 .. 10
output x1, y1, x2, y2, x1', y1', x2', y2'
