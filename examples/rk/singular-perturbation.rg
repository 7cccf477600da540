# A singularly perturbed problem on its smooth solution, for any eps: eps = 1 is not stiff, eps = 0 a model of index 1.
# Source: the class (1.21) of Hairer, Lubich, Roche (1989); equations made for this solution.
# Look at: regula order --set eps=1e-4: between the extremes methods show less than their order (doc/methods/orders.md).
title "Singularly perturbed problem, smooth solution"
param eps = 1e-4
var y = 1, z = 1

y' = -sin(t) + (z - exp(-t))*y + y - cos(t)
eps*z' = -eps*exp(-t) - (z - exp(-t))*(1 + y^2) - (y - cos(t))*z

over t = 0 .. 1
exact y = cos(t)
exact z = exp(-t)
