# Source: test set of Cash and Mazzia for boundary value problems, problem 20.
title "Cash/Mazzia problem 20"
param eps = 0.06
fun logcosh(u) = abs(u) + log((1 + exp(-2*abs(u)))/2)
var y ~ 0

eps*y'' + y'^2 = 1

over x = 0 .. 1
boundary y(start) = 1 + eps*logcosh(0.745/eps)
boundary y(end) = 1 + eps*logcosh(0.255/eps)
exact y = 1 + eps*logcosh((x - 0.745)/eps)
