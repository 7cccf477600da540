# Source: test set of Cash and Mazzia for boundary value problems, problem 10.
title "Cash/Mazzia problem 10"
param eps = 0.02
var y ~ 0

eps*y'' + x*y' = 0

over x = -1 .. 1
boundary y(start) = 0
boundary y(end) = 2
exact y = 1 + erf(x/sqrt(2*eps))/erf(1/sqrt(2*eps))
