# A linear problem of index 2 whose matrices B and C vanish at t = 1/2, where y becomes infinite.
# Source: Ascher, Lin, Sequential regularization methods for higher index DAEs with constraint singularities I (1993),
# Example 2.  Here up to t = 0.4, before the singular point.
title "Ascher-Lin, linear Example 2 (index 2)"
var x1 = 1, x2 = 0
var y

x1' = -x1 + x2 - sin(t)
x2' = (1 - 2*t)*y
0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))

over t = 0 .. 0.4
exact x1 = exp(-t)
exact x2 = sin(t)
exact y = cos(t)/(1 - 2*t)
