# B = -C^T vanishes at t = 1/2, and yet y is smooth: y = exp(t).
# Source: Ascher, Lin (1993), Example 4, with q and r for the solution x1 = x2 = y = exp(t).
title "B and C vanish at t = 1/2, y is smooth (index 2)"
var x1 = 1, x2 = 1, y
x1' = (t - 0.5)*y + (1.5 - t)*exp(t)
x2' = (t^2 - 0.25)*y + (1.25 - t^2)*exp(t)
0 = (t - 0.5)*x1 + (t^2 - 0.25)*x2 - (t + t^2 - 0.75)*exp(t)
over t = 0 .. 1
exact x1 = exp(t), x2 = exp(t)
output x1, x2
