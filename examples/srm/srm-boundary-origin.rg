# A nonlinear boundary value problem of index 2: G B = |x|^2 vanishes where the solution passes the origin, at t = 1/2.
# Source: Ascher, Lin, Sequential regularization methods for nonlinear higher index DAEs (1995), Example 6.2, with a condition
# that ties both ends together in place of its start values.
# Look at: the guess is straight lines; the run passes t = 1/2 and says so.
title "Ascher-Lin, Example 6.2, as a boundary value problem"
var x1 ~ t - 0.4, x2 ~ 1.2*t - 0.3
var y

x1' = 1 + (t - 0.5)*exp(t) - x1*y
x2' = 2*t + (t^2 - 0.25)*exp(t) - x2*y
0 = (x1^2 + x2^2 - (t - 0.5)^2 - (t^2 - 0.25)^2)/2

over t = 0 .. 1
boundary x1(start) + x2(end) = 0.25
exact x1 = t - 0.5
exact x2 = t^2 - 0.25
solve method = srm
