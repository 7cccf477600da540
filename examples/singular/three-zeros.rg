# Constraint and force vanish three times; between the places everything is regular.
title "B and C vanish at t = 0.2, 0.5 and 0.8 (index 2)"
var x1 = 1, x2 = 0, y
let b = 12*(t - 0.2)*(t - 0.5)*(t - 0.8)
x1' = -x1 + x2 - sin(t)
x2' = -x2 + exp(-t) - b*y
0 = b*(x1 + x2 - exp(-t) - sin(t))
over t = 0 .. 1
exact x1 = exp(-t), x2 = sin(t)
output x1, x2
