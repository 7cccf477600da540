# Flow around a ring, radial form: u, the solution, does not depend on eps; v is what upwind differences of
# spacing h on a Cartesian grid converge to, because they add diffusion h*|y|/(2*r^2) across the circles.
title "Spurious upwind solution on a ring"
param eps = 1e-2, h = 1/64
param k = 2*h/(3*pi)
var u ~ r - 1, v ~ r - 1

eps*(u'' + u'/r) = 0
(eps + k/r)*v'' + (eps/r + 2*k/r^2)*v' = 0

boundary u(1) = 0
boundary u(2) = 1
boundary v(1) = 0
boundary v(2) = 1
over r = 1 .. 2
exact u = log(r)/log(2)
exact v = (eps*log(r) + k*(1 - 1/r))/(eps*log(2) + k/2)
