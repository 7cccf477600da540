# Problem A01 of the IFToMM library of multibody benchmarks: point mass 1 kg on a massless bar of 1 m,
# started at (-1, 0), at rest; 10 s, period 2.36784194757624 s.
# Source: Gonzalez, Dopico, Lugris, Cuadrado, Multibody System Dynamics 16 (2006) 179-190.
# Look at: the energy, which is 0 for all times, and the drift.
# Reference at t = 10: x = -0.275087462576, y = -0.961419205099, x' = 4.175598100951, y' = -1.194749054562
title "Simple pendulum (IFToMM A01)"
param m = 1, g = 9.81
var x = -1, y = 0, x' = 0, y' = 0
var lambda

m*x'' = -2*x*lambda
m*y'' = -m*g - 2*y*lambda
x^2 + y^2 - 1 = 0

over t = 0 .. 10
output x, y, x', y', energy = m*(x'^2 + y'^2)/2 + m*g*y
solve tol = 1e-8
