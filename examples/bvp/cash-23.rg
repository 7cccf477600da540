# Source: test set of Cash and Mazzia for boundary value problems, problem 23.
# Troesch's problem.  Reference: y'(0) = 0.04575046, y'(1) = 12.10050
title "Cash/Mazzia problem 23"
param mu = 5
var y ~ x

y'' = mu*sinh(mu*y)

over x = 0 .. 1
boundary y(start) = 0
boundary y(end) = 1
