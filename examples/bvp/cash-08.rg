# Source: test set of Cash and Mazzia for boundary value problems, problem 8.
title "Cash/Mazzia problem 8"
param eps = 0.02
var y ~ 0

eps*y'' + y' = 0

over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = 2
exact y = (2 - exp(-1/eps) - exp(-x/eps))/(1 - exp(-1/eps))
