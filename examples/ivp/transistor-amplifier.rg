# Two transistor stages, node voltages y1 .. y8.  The capacitors couple pairs of derivatives: the matrix on y' is
# singular (rank 5 of 8), but no row of it is zero.
# Source: Test Set for IVP Solvers (Bari), after H. Rentrop.
# Look at: structure alone would say "an ODE with 8 degrees of freedom"; the index is 1, and there are 5.
# Reference at t = 0.2: y1 = -0.5562145012262709e-2, y2 = 3.006522471903042, y3 = 2.849958788608128,
#   y4 = 2.926422536206241, y5 = 2.704617865010554, y6 = 2.761837778393145, y7 = 4.770927631616772, y8 = 1.236995868091548
title "Transistor amplifier"
param Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6
param R0 = 1000, R = 9000
param C1 = 1e-6, C2 = 2e-6, C3 = 3e-6, C4 = 4e-6, C5 = 5e-6
fun g(x) = beta*(exp(x/UF) - 1)
let Ue = 0.1*sin(200*pi*t)
var y1 = 0, y2 = 3, y3 = 3, y4 = 6, y5 = 3, y6 = 3, y7 = 6, y8 = 0

C1*(y2' - y1') = (y1 - Ue)/R0
C1*(y1' - y2') = y2/R + (y2 - Ub)/R + (1 - alpha)*g(y2 - y3)
-C2*y3' = y3/R - g(y2 - y3)
C3*(y5' - y4') = (y4 - Ub)/R + alpha*g(y2 - y3)
C3*(y4' - y5') = y5/R + (y5 - Ub)/R + (1 - alpha)*g(y5 - y6)
-C4*y6' = y6/R - g(y5 - y6)
C5*(y8' - y7') = (y7 - Ub)/R + alpha*g(y5 - y6)
C5*(y7' - y8') = y8/R

over t = 0 .. 0.2
