# Source: test set of Cash and Mazzia for boundary value problems, problem 3.
title "Cash/Mazzia problem 3"
param eps = 0.02
var y ~ 0

eps*y'' + (2 + cos(pi*x))*y' - y = -(1 + eps*pi^2)*cos(pi*x) - (2 + cos(pi*x))*pi*sin(pi*x)

over x = -1 .. 1
boundary y(start) = -1
boundary y(end) = -1
exact y = cos(pi*x)
