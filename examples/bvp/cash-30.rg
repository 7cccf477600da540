# Source: test set of Cash and Mazzia for boundary value problems, problem 30.
# Reference: y(0.5) = 0.7355738, y'(0) = 1.368942
title "Cash/Mazzia problem 30"
param eps = 0.1
var y ~ 0

eps*y'' + y*y' - y = 0

over x = 0 .. 1
boundary y(start) = -7/6
boundary y(end) = 3/2
