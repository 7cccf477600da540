# Autonomous, index 2: the gradient (sin x1, sin x2) of the constraint vanishes at x = (0, pi), x = (pi, 2 pi), ...; y is unbounded there.
# Source: Ascher, Lin (1997), Example 3.1, with a solution that is no polynomial:
#     x1' = w(x1),  tan(x1/2) = sqrt(3) tan(sqrt(3) t/4 - pi/6),  x2 = x1 + pi.
# Look at: two singular places, passed at t = 1.2092 and t = 4.8368.  Reference at t = 8: x1 = 5.6043715246836
title "A constraint that vanishes with the state (index 2)"
fun w(x) = 1 + cos(x)/2
var x1 = -pi/2, x2 = pi/2, y
x1' = w(x1) + sin(x1)/(sin(x2) - sin(x1)) - sin(x1)*y
x2' = w(x1) + sin(x2)/(sin(x2) - sin(x1)) - sin(x2)*y
0 = -cos(x1) - cos(x2)
over t = 0 .. 8
output x1, x2
