# Source: test set of Cash and Mazzia for boundary value problems, problem 6.
title "Cash/Mazzia problem 6"
param eps = 0.02
var y ~ 0

eps*y'' + x*y' = -eps*pi^2*cos(pi*x) - pi*x*sin(pi*x)

over x = -1 .. 1
boundary y(start) = -2
boundary y(end) = 0
exact y = cos(pi*x) + erf(x/sqrt(2*eps))/erf(1/sqrt(2*eps))
