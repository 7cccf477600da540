# Nonlinear, index 2: G B = |x|^2 vanishes where the solution passes the origin, at t = 1/2; y stays bounded.
# Source: Ascher, Lin, Sequential regularization methods for nonlinear higher index DAEs (1995), Example 6.2.
title "Ascher-Lin, Example 6.2 (index 2), singular at t = 1/2"
var x1 = -0.5, x2 = -0.25
var y

x1' = 1 + (t - 0.5)*exp(t) - x1*y
x2' = 2*t + (t^2 - 0.25)*exp(t) - x2*y
0 = (x1^2 + x2^2 - (t - 0.5)^2 - (t^2 - 0.25)^2)/2

over t = 0 .. 1
exact x1 = t - 0.5
exact x2 = t^2 - 0.25
solve method = srm, scheme = heun, step = 0.001
