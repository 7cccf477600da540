# B and C vanish at five times, four of them within a hundredth: much closer together than a step is long.
title "Five singular places, close together (index 2)"
var x1 = 1, x2 = 0, y
let b = (t - 0.5)*(t - 0.502)*(t - 0.505)*(t - 0.51)*(t - 0.8)
x1' = -sin(t) + (x1 - cos(t)) + (x2 - sin(t))
x2' = cos(t) + b*(exp(t) - y)
0 = b*(x2 - sin(t))
over t = 0 .. 1
exact x1 = cos(t), x2 = sin(t)
output x1, x2
