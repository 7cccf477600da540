# As srm-singular.rg, with a factor that has three zeros, at t = 1/6, 1/2 and 5/6: the multiplier y = cos(t)/cos(3*pi*t) becomes infinite at
# each of them. With `--set both=0` only B vanishes and the constraint stays regular: zeros of C B are then simple, not double.
# Source: made up after Ascher, Lin (1993), Examples 2 and 3.
title "A linear problem of index 2 with three singular points"
param both = 1
var x1 = 1, x2 = 0
var y

let factor = cos(3*pi*t)
x1' = -x1 + x2 - sin(t)
x2' = factor*y
0 = if(both > 0, factor, 1)*(x1 + x2 - exp(-t) - sin(t))

over t = 0 .. 1
exact x1 = exp(-t)
exact x2 = sin(t)
solve method = srm
