# Linear, index 2, with one condition that ties both ends together.
# Source: Ascher, Lin, Sequential regularization methods for higher index DAEs with constraint singularities I (1993),
# Example 1, up to t = 0.4: before the point t = 1/2 where B and C vanish and y becomes infinite.
title "Ascher-Lin, linear Example 1 (index 2)"
var x1, x2, y

x1' = -x1 + x2 - sin(t)
x2' = (1 - 2*t)*y
0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))

over t = 0 .. 0.4
boundary x1(end) + x2(start) = exp(-0.4)
exact x1 = exp(-t)
exact x2 = sin(t)
exact y = cos(t)/(1 - 2*t)
