# The constraint and the multiplier's column vanish at t = 1/2: y has a pole there, x and (1 - 2t) y are smooth.
# Source: Ascher, Lin, Sequential regularization methods for higher index DAEs with constraint singularities (1993),
# Example 1.
title "Ascher-Lin, example 1"
var x1, x2, y
let c = 1 - 2*t

x1' = -x1 + x2 - sin(t)
x2' = c*y
0 = c*(x1 + x2 - exp(-t) - sin(t))

over t = 0 .. 1
boundary x1(1) + x2(0) = exp(-1)
output x1, x2, force = (1 - 2*t)*y
exact x1 = exp(-t)
exact x2 = sin(t)
