# The pendulum with its constraint differentiated twice: lambda is given by an algebraic equation.
# Look at: the index is 1 and all four start values are free; nothing keeps the rod at its length.
# Source and reference: see pendulum-second-order.rg; at t = 10 p = -0.81158644619130383, q = -0.58423235134539570,
#   u = -0.63152914906501758, v = 0.87728879884106933, lambda = 1.7526970540361871
title "Pendulum, acceleration constraint (index 1)"
var p = 1, q = 0, u = 0, v = 0
var lambda

p' = u
q' = v
u' = -p*lambda
v' = -q*lambda - 1
0 = 2*(u^2 + v^2 - lambda*(p^2 + q^2) - q)

over t = 0 .. 10
