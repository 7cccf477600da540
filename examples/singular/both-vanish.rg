# x' = f - B y, 0 = C x + r with B(t*) = 0 and C(t*) = 0 at t* = 1/2: linear, index 2.  y is unbounded, B y is not.
# Source: Ascher, Lin (1996), linear problems, Examples 1 to 3.
title "Both B and C vanish at t = 1/2 (index 2)"
var x1 = 1, x2 = 0, y
let b = 1 - 2*t
x1' = -x1 + x2 - sin(t)
x2' = -x2 + exp(-t) - b*y
0 = b*(x1 + x2 - exp(-t) - sin(t))
over t = 0 .. 1
exact x1 = exp(-t), x2 = sin(t)
output x1, x2
