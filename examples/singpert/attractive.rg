# Attractive turning point at x = 0: a layer of width sqrt(eps) there, none at the ends.  Problem A.
title "Attractive turning point"
param eps = 1e-2
var u ~ x/2 + erf(x/sqrt(2*eps))/2

-eps*u'' - x*(1 + u^2/2)*u' + x*(1 + u^2/2)/2 + eps*u = 0

boundary u(-1) = -1
boundary u(1) = 1
over x = -1 .. 1
