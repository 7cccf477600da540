# x' = f - B y, 0 = C x + r where B vanishes like (1 - 2t)^p and C like (1 - 2t)^q at t = 1/2; p = 0 or q = 0: only one of them does.
# Look at: whatever the orders, the place is passed as a regular one is; try --set p=0 (only C vanishes), --set q=0 (only B).
# Source: Ascher, Lin (1993), linear problems, Examples 1 to 3, with zeros of other orders.
title "B and C vanish at t = 1/2 with the orders p and q (index 2)"
param p = 2, q = 1
var x1 = 1, x2 = 0, y
let z = 1 - 2*t
x1' = -x1 + x2 - sin(t)
x2' = -x2 + exp(-t) - if(p == 0, 1, z^p)*y
0 = if(q == 0, 1, z^q)*(x1 + x2 - exp(-t) - sin(t))
over t = 0 .. 1
exact x1 = exp(-t), x2 = sin(t)
output x1, x2
