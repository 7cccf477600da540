# Source: test set of Cash and Mazzia for boundary value problems, problem 19.
# Reference: y(0.5) = -0.4866958, y'(0) = -9.223947
title "Cash/Mazzia problem 19"
param eps = 0.05
var y ~ 0

eps*y'' + exp(y)*y' = pi/2*sin(pi*x/2)*exp(2*y)

over x = 0 .. 1
boundary y(start) = 0
boundary y(end) = 0
