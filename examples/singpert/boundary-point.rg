# b = -x is 0 at the end x = 0: a boundary turning point, for collocation only.
title "Boundary turning point"
param eps = 1e-2
var u ~ 1

-eps*u'' + x*u' + u - cos(x) = 0

boundary u(0) = 0
boundary u(1) = 1
over x = 0 .. 1
