# Source: test set of Cash and Mazzia for boundary value problems, problem 22.
# Reference: y(0.5) = 0.6909623, y'(0) = 8.633366
title "Cash/Mazzia problem 22"
param eps = 0.1
var y ~ 0

eps*y'' + y' + y^2 = 0

over x = 0 .. 1
boundary y(start) = 0
boundary y(end) = 1/2
