# Source: test set of Cash and Mazzia for boundary value problems, problem 7.
title "Cash/Mazzia problem 7"
param eps = 0.02
fun h(s) = s*erf(s/sqrt(2*eps)) + sqrt(2*eps/pi)*exp(-s^2/(2*eps))
var y ~ 0

eps*y'' + x*y' - y = -(1 + eps*pi^2)*cos(pi*x) - pi*x*sin(pi*x)

over x = -1 .. 1
boundary y(start) = -1
boundary y(end) = 1
exact y = cos(pi*x) + x + h(x)/h(1)
