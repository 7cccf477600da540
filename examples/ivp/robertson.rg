# Robertson's chemical kinetics, with the conservation of mass in place of the third rate equation.
# Source: Hairer, Wanner, Solving Ordinary Differential Equations II; Test Set for IVP Solvers.
# Look at: eleven decades of time; y2 is as small as 1e-13, so atol must be far below rtol.
# Reference at t = 1e11: y1 = 0.2083340149701255e-7, y2 = 0.8333360770334713e-13, y3 = 0.9999999791665050
title "Robertson's reaction"
var y1 = 1, y2 = 0
var y3

y1' = -0.04*y1 + 1e4*y2*y3
y2' =  0.04*y1 - 1e4*y2*y3 - 3e7*y2^2
0 = y1 + y2 + y3 - 1

over t = 0 .. 1e11
solve rtol = 1e-6, atol = 1e-14
