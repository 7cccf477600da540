# bounded-multiplier.rg from its singular point on.
title "The constraint vanishes where x = 0 (index 2)"
let s = sin(t - 0.5), e = exp(t - 0.5) - 1
var x1 = 0, x2 = 0, y
x1' = cos(t - 0.5) + s*exp(t) + (x2 - e) - x1*y
x2' = exp(t - 0.5) + e*exp(t) - (x1 - s) + (x1 - s)*(x2 - e) - x2*y
0 = (x1^2 + x2^2 - s^2 - e^2)/2
over t = 0.5 .. 1
exact x1 = sin(t - 0.5), x2 = exp(t - 0.5) - 1
