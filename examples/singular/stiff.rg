# A stiff component beside a constraint whose Jacobian is singular at t = 1/2.
# Look at: the steps near the point are as long as elsewhere, though z relaxes within 1e-6.
title "Stiff problem whose constraint vanishes at t = 1/2"
param k = 1e6
var x1 = 1, x2 = 0, z = 0, y
x1' = -z - (1 - 2*t)*(y - exp(t)) + (x2 - sin(t))
x2' = x1 + (1 - 2*t)*(y - exp(t))
z' = cos(t) - k*(z - x2)
0 = (1 - 2*t)*(x2 - x1 + cos(t) - sin(t))

over t = 0 .. 1
exact x1 = cos(t)
exact x2 = sin(t)
exact z = sin(t)
