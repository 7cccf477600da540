# Two multipliers, both unbounded: the forces of y1 and y2 are coupled, C B = (1-3*t 0; t 2-3*t) times (1-3*t 0; 0 1) is singular at t = 1/3 (double
# zero, rows and columns vanish) and at t = 2/3 (simple zero, only B vanishes).
# Source: made up after Ascher, Lin (1993), sections 2 and 5.
title "A linear problem of index 2 with two multipliers and two singular points"
var x1 = 1, x2 = 0, x3 = 1
var y1, y2

x1' = -x1 + x2 - sin(t) + x3 - cos(t)
x2' = (1 - 3*t)*y1
x3' = t*y1*(1 - 3*t) + (2 - 3*t)*y2
0 = (1 - 3*t)*(x1 + x2 - exp(-t) - sin(t))
0 = x3 - cos(t)

over t = 0 .. 1
exact x1 = exp(-t)
exact x2 = sin(t)
exact x3 = cos(t)
solve method = srm
