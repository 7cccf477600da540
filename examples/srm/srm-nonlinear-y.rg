# Index 2, the multiplier enters the equations as y + y^3.
# Source: made up for P. Lin, thesis, section 7.2: x' = f(x, y, t) with any dependence on y.
title "A multiplier that enters nonlinearly (index 2)"
var x1 = 1, x2 = 0
var y ~ 1

x1' = x2 - sin(t) - exp(-t)
x2' = cos(t) + y + y^3 - cos(t) - cos(t)^3
0 = x1 + x2 - exp(-t) - sin(t)

over t = 0 .. 1
exact x1 = exp(-t)
exact x2 = sin(t)
exact y = cos(t)
solve method = srm
