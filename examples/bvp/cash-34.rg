# Source: test set of Cash and Mazzia for boundary value problems, problem 34.
# Bratu's problem.  Reference: y(0.5) = 0.01263229
title "Cash/Mazzia problem 34"
param lam = 0.1
var y ~ 0

y'' = -lam*exp(y)

over x = 0 .. 1
boundary y(start) = 0
boundary y(end) = 0
