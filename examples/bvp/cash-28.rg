# Source: test set of Cash and Mazzia for boundary value problems, problem 28.
# Reference: y(0.5) = 1.005227, y'(0) = -3.336750
title "Cash/Mazzia problem 28"
param eps = 0.1
var y ~ 0

eps*y'' + y*y' - y = 0

over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = 3/2
