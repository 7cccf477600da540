# unbounded-multiplier.rg from its singular point on, where the constraint leaves x2 open.
title "An unbounded multiplier (index 2)"
var x1 = 0, x2 ~ 0.4, y
x1' = -x1 + x2 - sin(t) + cos(pi*t) - pi*sin(pi*t)
x2' = -x1*y
0 = x1*(x1 + x2 - sin(t) - cos(pi*t))
over t = 0.5 .. 1
exact x1 = cos(pi*t), x2 = sin(t)
output x1, x2
