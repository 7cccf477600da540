# Source: test set of Cash and Mazzia for boundary value problems, problem 25.
# Reference: y(0.5) = 0, y'(0) = 0.8085417
title "Cash/Mazzia problem 25"
param eps = 0.1
var y ~ 0

eps*y'' + y*y' - y = 0

over x = 0 .. 1
boundary y(start) = -1/3
boundary y(end) = 1/3
