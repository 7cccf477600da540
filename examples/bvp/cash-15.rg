# Source: test set of Cash and Mazzia for boundary value problems, problem 15.
title "Cash/Mazzia problem 15"
param eps = 0.02
var y ~ 0

eps*y'' = x*y

over x = -1 .. 1
boundary y(start) = 1
boundary y(end) = 1
