# Source: test set of Cash and Mazzia for boundary value problems, problem 18.
title "Cash/Mazzia problem 18"
param eps = 0.02
var y ~ 0

eps*y'' + y' = 0

over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = exp(-1/eps)
exact y = exp(-x/eps)
