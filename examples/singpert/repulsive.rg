# Repulsive turning point at x = 0: layers at both ends, none inside.  Problem R.
title "Repulsive turning point"
param eps = 1e-2
var u ~ cos(x)

-eps*u'' + x*(1 + u^2)*u' + u - cos(x) + x*(1 + cos(x)^2)*sin(x) = 0

boundary u(-1) = 0
boundary u(1) = 1
over x = -1 .. 1
