# Spherical kite linkage.
# Look at: a kite on the unit sphere, of great circle rods.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Spherical kite linkage (index 3)"
var x1 ~ 0.38758915004156697, y1 ~ 0.6036343362671643, z1 ~ 0.6967067093471654, x2 ~ 0.8543430951013261,
    y2 ~ 0.46672976003470473, z2 ~ -0.22860710170647236
var x1' ~ -1.2072686725343287, y1' ~ 0.7751783000831339, z1' ~ 0.0, x2' ~ -0.3850312478037404,
    y2' ~ 0.8989751957496354, z2' ~ 0.3964430184079444
var l1, l2, l3, l4, l5
x1'' = -l1*x1 - l4*x2
y1'' = -l1*y1 - l4*y2 - 1
z1'' = -l1*z1 - l2 - l4*z2
x2'' = -l3*x2 - l4*x1 - l5*sin(4/5)
y2'' = -l3*y2 - l4*y1 - 1
z2'' = -l3*z2 - l4*z1 - l5*cos(4/5)
0 = x1^2/2 + y1^2/2 + z1^2/2 - 1/2
0 = z1 - cos(4/5)
0 = x2^2/2 + y2^2/2 + z2^2/2 - 1/2
0 = x1*x2 + y1*y2 + z1*z2 - cos(11/10)
0 = x2*sin(4/5) + z2*cos(4/5) - cos(11/10)
over t = 0 .. 10
output x1, y1, z1, x2, y2, z2, x1', y1', z1', x2', y2', z2'
