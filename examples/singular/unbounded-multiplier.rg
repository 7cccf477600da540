# Nonlinear, index 2: B = (0, x1) vanishes at t = 1/2 and y is unbounded there.
# Source: Ascher, Lin (1997), Example 6.3, with a solution that is no polynomial.
title "An unbounded multiplier (index 2)"
var x1 = 1, x2 = 0, y
x1' = -x1 + x2 - sin(t) + cos(pi*t) - pi*sin(pi*t)
x2' = -x1*y
0 = x1*(x1 + x2 - sin(t) - cos(pi*t))
over t = 0 .. 1
exact x1 = cos(pi*t), x2 = sin(t)
output x1, x2
