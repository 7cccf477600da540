# both-vanish.rg with its constraint hidden: it is the difference of the second and the third equation.
title "B and C vanish at t = 1/2; an index from combinations (index 2)"
var x1 = 1, x2 = 0, y
let b = 1 - 2*t, p = -x1 + exp(-t) - sin(t) - b*y
x1' = -x1 + x2 - sin(t)
x1' + x2' = p
x1' + x2' = p + b*(x1 + x2 - exp(-t) - sin(t))
over t = 0 .. 1
exact x1 = exp(-t), x2 = sin(t)
output x1, x2
