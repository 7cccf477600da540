# Source: test set of Cash and Mazzia for boundary value problems, problem 21.
title "Cash/Mazzia problem 21"
param eps = 0.02, r = sqrt(eps)
var y ~ 0

eps*y'' = y + y^2 - exp(-2*x/r)

over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = exp(-1/r)
exact y = exp(-x/r)
