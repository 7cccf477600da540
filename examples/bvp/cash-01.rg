# Source: test set of Cash and Mazzia for boundary value problems, problem 1.
title "Cash/Mazzia problem 1"
param eps = 0.02, r = sqrt(eps)
var y ~ 0

eps*y'' = y

over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = 0
exact y = (exp(-x/r) - exp((x - 2)/r))/(1 - exp(-2/r))
