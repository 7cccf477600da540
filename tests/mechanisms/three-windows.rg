# Three four-bar windows side by side.
# Look at: three constraints depend on the others when the rods lie in one line.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Three four-bar windows side by side (index 3)"
var x1 ~ 0.5403023058681398, y1 ~ 0.8414709848078965, x2 ~ 1.5403023058681398, y2 ~ 0.8414709848078965,
    x3 ~ 2.5403023058681398, y3 ~ 0.8414709848078965, x4 ~ 3.5403023058681398, y4 ~ 0.8414709848078965
var x1' ~ -3.365883939231586, y1' ~ 2.161209223472559, x2' ~ -3.365883939231586, y2' ~ 2.161209223472559,
    x3' ~ -3.365883939231586, y3' ~ 2.161209223472559, x4' ~ -3.365883939231586, y4' ~ 2.161209223472559
var l1, l2, l3, l4, l5, l6, l7
x1'' = -l1*x1 - l5*(x1 - x2)
y1'' = -l1*y1 - l5*(y1 - y2) - 4
2*x2'' = -l2*(x2 - 1) - l5*(-x1 + x2) - l6*(x2 - x3)
2*y2'' = -l2*y2 - l5*(-y1 + y2) - l6*(y2 - y3) - 4
2*x3'' = -l3*(x3 - 2) - l6*(-x2 + x3) - l7*(x3 - x4)
2*y3'' = -l3*y3 - l6*(-y2 + y3) - l7*(y3 - y4) - 8
x4'' = -l4*(x4 - 3) - l7*(-x3 + x4)
y4'' = -l4*y4 - l7*(-y3 + y4) - 4
0 = x1^2/2 + y1^2/2 - 1/2
0 = y2^2/2 + (x2 - 1)^2/2 - 1/2
0 = y3^2/2 + (x3 - 2)^2/2 - 1/2
0 = y4^2/2 + (x4 - 3)^2/2 - 1/2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 1/2
0 = (-x2 + x3)^2/2 + (-y2 + y3)^2/2 - 1/2
0 = (-x3 + x4)^2/2 + (-y3 + y4)^2/2 - 1/2
over t = 0 .. 10
output x1, y1, x2, y2, x3, y3, x4, y4, x1', y1', x2', y2', x3', y3', x4', y4'
