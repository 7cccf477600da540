# Source: test set of Cash and Mazzia for boundary value problems, problem 13.
title "Cash/Mazzia problem 13"
param eps = 0.02, r = sqrt(eps)
var y ~ 0

eps*y'' - y = -(eps*pi^2 + 1)*cos(pi*x)

over x = -1 .. 1
boundary y(start) = 0
boundary y(end) = -1
exact y = cos(pi*x) + (exp(-(x + 1)/r) - exp((x - 3)/r))/(1 - exp(-4/r))
