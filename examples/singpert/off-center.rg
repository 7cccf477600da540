# Repulsive turning point at x = 0.3; the reduced solution has a slope there, so that K = eps*u'(0.3) counts.
title "Turning point off the centre"
param eps = 1e-2
var u ~ 1.35 + x/2

-eps*u'' + (x - 0.3)*(2 + sin(u))*u' + 2*u - 3 + x = 0

boundary u(0) = 0
boundary u(1) = 2
over x = 0 .. 1
