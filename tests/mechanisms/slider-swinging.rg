# The same rail, a swinging motion.
# Look at: crank across the rail, to and fro.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "The same rail, a swinging motion (index 3)"
var x1 ~ 0.9800665778412416, y1 ~ 0.19866933079506122, x2 ~ 1.6767732871884071, y2 ~ 0.916025421694584
var x1' ~ 0.0, y1' ~ 0.0, x2' ~ 0.0, y2' ~ 0.0
var l1, l2, l3
x1'' = -l1*x1 - l2*(x1 - x2)
y1'' = -l1*y1 - l2*(y1 - y2) - 9.81
x2'' = -l2*(-x1 + x2) - l3*sin(1/2)
y2'' = -l2*(-y1 + y2) + l3*cos(1/2) - 9.81
0 = x1^2/2 + y1^2/2 - 1/2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 1/2
0 = x2*sin(1/2) - y2*cos(1/2)
over t = 0 .. 10
output x1, y1, x2, y2, x1', y1', x2', y2'
