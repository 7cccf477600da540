# As srm-singular.rg, but the constraint itself stays regular: only B vanishes at t = 1/2.
# Source: Ascher, Lin (1993), Example 3, second part.
# Look at: alpha1 = 1, the rate of the constraint in the update, is better here than alpha1 = 0.
title "Ascher-Lin, linear Example 3: B vanishes, C does not"
var x1 = 1, x2 = 0
var y

x1' = -x1 + x2 - sin(t)
x2' = (1 - 2*t)*y
0 = x1 + x2 - exp(-t) - sin(t)

over t = 0 .. 1
exact x1 = exp(-t)
exact x2 = sin(t)
solve method = srm, variant = linear-by-rate, step = 0.001
