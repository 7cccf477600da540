# The lowest eigenvalue of y'' + lambda y = 0: an unknown constant, found with the solution.
title "Eigenvalue as an unknown constant"
param lambda ~ 10
var y ~ x*(1 - x)

y'' + lambda*y = 0

over x = 0 .. 1
boundary y(0) = 0
boundary y(1) = 0
boundary y'(0) = 1
exact y = sin(pi*x)/pi
exact lambda = pi^2
