# Source: test set of Cash and Mazzia for boundary value problems, problem 29.
# Reference: y(0.5) = 0.9900775, y'(0) = 3.056703
title "Cash/Mazzia problem 29"
param eps = 0.1
var y ~ 0

eps*y'' + y*y' - y = 0

over x = 0 .. 1
boundary y(start) = 0
boundary y(end) = 3/2
