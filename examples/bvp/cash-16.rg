# Source: test set of Cash and Mazzia for boundary value problems, problem 16.
title "Cash/Mazzia problem 16"
param eps = 0.11
var y ~ 0

eps^2*y'' + pi^2*y/4 = 0

over x = 0 .. 1
boundary y(start) = 0
boundary y(end) = sin(pi/(2*eps))
exact y = sin(pi*x/(2*eps))
