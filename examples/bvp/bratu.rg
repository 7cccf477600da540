# Bratu's problem: burning at the limit of ignition, as a boundary value problem of index 1.
# Source: Cash/Mazzia test set, problem 34; with the reaction v as an algebraic unknown.
# The numbers in the exact solution: theta = sqrt(2 lam) cosh(theta/4), for lam = 1.
title "Bratu's problem"
param lam = 1, theta = 1.5171645990507545
var y ~ 0, v

y'' = -v
v = lam*exp(y)

over x = 0 .. 1
boundary y(0) = 0
boundary y(1) = 0
exact y = -2*log(cosh((x - 1/2)*theta/2)/cosh(theta/4))
