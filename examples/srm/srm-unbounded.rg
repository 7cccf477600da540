# Nonlinear, index 2: at t = 1/2 the multiplier y = -cos(t)/(1 - 2*t) becomes infinite.
# Source: Ascher, Lin (1995), Example 6.3.
title "Ascher-Lin, Example 6.3 (index 2), y unbounded at t = 1/2"
var x1 = 1, x2 = 0
var y

x1' = -x1 + x2 - sin(t) - (1 + 2*t)
x2' = -x1*y
0 = x1^2 + x1*(x2 - sin(t) - 1 + 2*t)

over t = 0 .. 1
exact x1 = 1 - 2*t
exact x2 = sin(t)
solve method = srm, scheme = heun, step = 0.001
