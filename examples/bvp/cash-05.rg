# Source: test set of Cash and Mazzia for boundary value problems, problem 5.
title "Cash/Mazzia problem 5"
param eps = 0.02
var y ~ 0

eps*y'' - x*y' - y = -(1 + eps*pi^2)*cos(pi*x) + pi*x*sin(pi*x)

over x = -1 .. 1
boundary y(start) = -1
boundary y(end) = -1
exact y = cos(pi*x)
