# Source: test set of Cash and Mazzia for boundary value problems, problem 12.
title "Cash/Mazzia problem 12"
param eps = 0.02, r = sqrt(eps)
var y ~ 0

eps*y'' - y = -(eps*pi^2 + 1)*cos(pi*x)

over x = -1 .. 1
boundary y(start) = -1
boundary y(end) = 0
exact y = cos(pi*x) + (exp((x - 1)/r) - exp(-(x + 3)/r))/(1 - exp(-4/r))
