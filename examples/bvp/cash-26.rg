# Source: test set of Cash and Mazzia for boundary value problems, problem 26.
# Reference: y(0.5) = 0.05303786, y'(0) = -7.210815
title "Cash/Mazzia problem 26"
param eps = 0.1
var y ~ 0

eps*y'' + y*y' - y = 0

over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = -1/3
