# Source: test set of Cash and Mazzia for boundary value problems, problem 27.
# Reference: y(0.5) = 0.1880286, y'(0) = -6.896866
title "Cash/Mazzia problem 27"
param eps = 0.1
var y ~ 0

eps*y'' + y*y' - y = 0

over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = 1/3
