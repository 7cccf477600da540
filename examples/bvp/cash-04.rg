# Source: test set of Cash and Mazzia for boundary value problems, problem 4.
title "Cash/Mazzia problem 4"
param eps = 0.02
var y ~ 0

eps*y'' + y' = (1 + eps)*y

over x = -1 .. 1
boundary y(start) = 1 + exp(-2)
boundary y(end) = 1 + exp(-2*(1 + eps)/eps)
exact y = exp(x - 1) + exp(-(1 + eps)*(1 + x)/eps)
