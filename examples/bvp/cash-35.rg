# Source: test set of Cash and Mazzia for boundary value problems, problem 35.
title "Cash/Mazzia problem 35"
param eps = 0.02
var y ~ 0

eps*y'' = x*y' - y

over x = -1 .. 1
boundary y(start) = 1
boundary y(end) = 2
