# Source: test set of Cash and Mazzia for boundary value problems, problem 2.
title "Cash/Mazzia problem 2"
param eps = 0.02
var y ~ 0

eps*y'' = y'

over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = 0
exact y = (1 - exp((x - 1)/eps))/(1 - exp(-1/eps))
