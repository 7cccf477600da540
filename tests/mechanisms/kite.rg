# Kite linkage.
# Look at: where crank end and fixed joint meet, the rocker could turn alone.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Kite linkage (index 3)"
var x1 ~ 0.5403023058681398, y1 ~ 0.8414709848078965, x2 ~ 2.0174769882847468, y2 ~ 1.102152701902509
var x1' ~ -1.2622064772118449, y1' ~ 0.8104534588022095, x2' ~ -1.337000916668476, y2' ~ 1.2342823854421927
var l1, l2, l3
x1'' = -l1*x1 - l2*(x1 - x2)
y1'' = -l1*y1 - l2*(y1 - y2) - 1
x2'' = -l2*(-x1 + x2) - l3*(x2 - 1)
y2'' = -l2*(-y1 + y2) - l3*y2 - 1
0 = x1^2/2 + y1^2/2 - 1/2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 9/8
0 = y2^2/2 + (x2 - 1)^2/2 - 9/8
over t = 0 .. 10
output x1, y1, x2, y2, x1', y1', x2', y2'
