# The constraint is a product.  On the branch y = exp(t) the index is 1, with a pivot x1 - sin(t) that vanishes at the start;
# on the other, x1 = sin(t), x3 = 1, y = 0, the index is 2.  The guess says which one is meant:
# 'var x1 ~ sin(t), x2 ~ sin(t), x3 ~ 1, y ~ 0' finds the second.
# Source: Ascher, Spiteri, Collocation software for boundary value differential-algebraic equations (1994).
title "Ascher-Spiteri, two branches"
param eps = 1e-4
var x1 ~ sin(t) + eps*t, x2 ~ sin(t), x3 ~ 1 + t, y ~ 1 + t

x1' = (eps + x2 - sin(t))*y + cos(t)
x2' = cos(t)
x3' = y
0 = (x1 - sin(t))*(y - exp(t))

over t = 0 .. 1
boundary x1(0) = 0
boundary x3(0) = 1
boundary x2(1) = sin(1)
exact x1 = sin(t) + eps*(exp(t) - 1)
exact x2 = sin(t)
exact x3 = exp(t)
exact y = exp(t)
