# A boundary value problem of index 2 whose matrices B and C vanish at t = 1/2, inside the interval: the multiplier y becomes
# infinite there, while B*y and x stay smooth.
# Source: Ascher, Lin, Sequential regularization methods for higher index DAEs with constraint singularities I (1993),
# Example 1.
# Look at: the run passes t = 1/2 and says so; the column force(x2) of the CSV file is B*y = cos(t).
title "Ascher-Lin, linear Example 1, through its singular point"
var x1, x2, y

x1' = -x1 + x2 - sin(t)
x2' = (1 - 2*t)*y
0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))

over t = 0 .. 1
boundary x1(end) + x2(start) = exp(-1)
exact x1 = exp(-t)
exact x2 = sin(t)
solve method = srm
