# Source: test set of Cash and Mazzia for boundary value problems, problem 17.
title "Cash/Mazzia problem 17"
param eps = 0.02
var y ~ 0

y'' = -3*eps*y/(eps + x^2)^2

over x = -0.1 .. 0.1
boundary y(start) = -0.1/sqrt(eps + 0.01)
boundary y(end) = 0.1/sqrt(eps + 0.01)
exact y = x/sqrt(eps + x^2)
