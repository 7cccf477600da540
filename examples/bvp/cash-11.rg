# Source: test set of Cash and Mazzia for boundary value problems, problem 11.
title "Cash/Mazzia problem 11"
param eps = 0.02
var y ~ 0

eps*y'' - y = -(eps*pi^2 + 1)*cos(pi*x)

over x = -1 .. 1
boundary y(start) = -1
boundary y(end) = -1
exact y = cos(pi*x)
