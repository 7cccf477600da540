# Source: test set of Cash and Mazzia for boundary value problems, problem 9.
title "Cash/Mazzia problem 9"
param eps = 0.02
var y ~ 0

(eps + x^2)*y'' + 4*x*y' + 2*y = 0

over x = -1 .. 1
boundary y(start) = 1/(1 + eps)
boundary y(end) = 1/(1 + eps)
exact y = 1/(eps + x^2)
