# b = sin(3*pi*x/2) has three zeros: repulsive, attractive, repulsive.  For collocation only.
title "Three turning points"
param eps = 1e-2
var u ~ 0

-eps*u'' - sin(1.5*pi*x)*u' + (1 + x^2)*u - sin(2*x) = 0

boundary u(-1) = 1
boundary u(1) = -1
over x = -1 .. 1
