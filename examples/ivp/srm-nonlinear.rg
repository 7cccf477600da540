# A nonlinear problem of index 2, made up to have a known solution.
# Source: Ascher, Lin, Sequential regularization methods for nonlinear higher index DAEs (1995), Example 6.1 (with
# f1 = 1 - exp(-t); the print has exp(t)).
title "Ascher-Lin, Example 6.1 (index 2)"
var x1 = 1, x2 = 0
var y

x1' = 1 - exp(-t) - x1*y
x2' = cos(t) + exp(t)*sin(t) - x2*y
0 = (x1^2 + x2^2 - exp(-2*t) - sin(t)^2)/2

over t = 0 .. 1
exact x1 = exp(-t)
exact x2 = sin(t)
exact y = exp(t)
