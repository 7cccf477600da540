# Bratu's problem has two solutions for lam = 1: this guess leads to the upper one.
# The number theta in the exact solution: the larger root of theta = sqrt(2 lam) cosh(theta/4).
title "Bratu's problem, upper solution"
param lam = 1, theta = 10.938702772122108
var y ~ 16*x*(1 - x)

y'' = -lam*exp(y)

over x = 0 .. 1
boundary y(0) = 0
boundary y(1) = 0
exact y = -2*log(cosh((x - 1/2)*theta/2)/cosh(theta/4))
