# A parallelogram linkage whose coupler is too long by d: the branches do not meet, and the motion turns from the parallelogram into the
# antiparallelogram where they come near each other.
param d = 1e-6
var x1 ~ 0.5403023058681398, y1 ~ 0.8414709848078965, x2 ~ 2.5403023058681398, y2 ~ 0.8414709848078965
var x1' ~ -5.048825908847379, y1' ~ 3.241813835208838, x2' ~ -5.048825908847379, y2' ~ 3.241813835208838
var l1, l2, l3
x1'' = -l1*x1 - l3*(x1 - x2)
y1'' = -l1*y1 - l3*(y1 - y2) - 9.81
x2'' = -l2*(x2 - 2) - l3*(x2 - x1)
y2'' = -l2*y2 - l3*(y2 - y1) - 9.81
0 = (x1^2 + y1^2 - 1)/2
0 = ((x2 - 2)^2 + y2^2 - 1)/2
0 = ((x1 - x2)^2 + (y1 - y2)^2 - (2 + d)^2)/2
over t = 0 .. 1
output x1, y1, x2, y2
