# The pendulum of pendulum.rg as Newton wrote it: second derivatives, and the rod force as an unknown.
# Length, mass and gravity are 1; it starts horizontally, at rest.  Index 3, two degrees of freedom.
# Source: Hairer, Lubich, Roche, LNM 1409; closed form by Jacobi's elliptic functions:
#   k^2 = 1/2, s = sn(K-t), c = cn(K-t), theta = 2 asin(k s), theta' = -2 k c, p = sin(theta), q = -cos(theta).
# Look at: x' and y' are written with the result, because x'' and y'' occur.
# Reference at t = 10: x = -0.81158644619130383, y = -0.58423235134539570,
#   x' = -0.63152914906501758, y' = 0.87728879884106933, lambda = 1.7526970540361871
title "Pendulum, second order form (index 3)"
var x = 1, y = 0, x' = 0, y' = 0
var lambda

x'' = -x*lambda
y'' = -y*lambda - 1
0 = x^2 + y^2 - 1

over t = 0 .. 10
