# Repulsive turning point at x = 0 where c = u^3 + u - 1 - x is not linear in u; written as a pair u' = w.
title "Nonlinear at the turning point"
param eps = 1e-2
var u ~ 0.68, w ~ 0

u' = w
eps*w' = x*(2 + u^2)*w + u^3 + u - 1 - x

boundary u(-1) = 0
boundary u(1) = 1.5
over x = -1 .. 1
output u
