# Ring modulator: a low-frequency and a high-frequency signal are mixed by four diodes and three transformers.
# Source: E.-H. Horneber 1976; Test Set for IVP Solvers (Bari).
# Here the capacitances Cs are left out: y3 .. y6 have no derivative any more.
# Look at: each of the four algebraic equations can be matched with one of y3 .. y6, so the structure says index 1; but
# their sum with signs is y10 + y11 + y12 + y13 = 0: the index is 2, with 10 degrees of freedom.
# Very demanding: the diodes switch within nanoseconds, and their currents grow as exp(17.7 U) with voltages of index 2.  RADAU5,
# DASPK and IDA fail here at tolerances above 1e-8.
# Reference at t = 1e-3: y1 = -2.33991346e-2, y2 = -7.3748826e-3, y3 = 3.2342483e-1, y4 = -3.4131354e-1,
#   y5 = -3.3881184e-1, y6 = 3.2592653e-1, y7 = 1.1067448e-1, y8 = 2.93990976e-7, y9 = -2.838818e-8,
#   y10 = 7.260847e-4, y11 = 7.935163e-4, y12 = -7.260847e-4, y13 = -7.935163e-4, y14 = 7.0878212e-5,
#   y15 = 2.3898082e-5
title "Ring modulator without the capacitances Cs (index 2)"
param C = 1.6e-8, Cp = 1e-8, R = 25000, Rp = 50, Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Ls3 = 5e-4
param Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600, gamma = 40.67286402e-9, delta = 17.7493332
fun Q(U) = gamma*(exp(delta*U) - 1)
let Uin1 = 0.5*sin(2e3*pi*t)
let Uin2 = 2*sin(2e4*pi*t)
let UD1 = y3 - y5 - y7 - Uin2
let UD2 = -y4 + y6 - y7 - Uin2
let UD3 = y4 + y5 + y7 + Uin2
let UD4 = -y3 - y6 + y7 + Uin2
var y1 = 0, y2 = 0, y7 = 0, y8 = 0, y9 = 0, y10 = 0, y11 = 0, y12 = 0, y13 = 0, y14 = 0, y15 = 0
var y3, y4, y5, y6

C*y1' = y8 - y10/2 + y11/2 + y14 - y1/R
C*y2' = y9 - y12/2 + y13/2 + y15 - y2/R
0 = y10 - Q(UD1) + Q(UD4)
0 = -y11 + Q(UD2) - Q(UD3)
0 = y12 + Q(UD1) - Q(UD3)
0 = -y13 - Q(UD2) + Q(UD4)
Cp*y7' = -y7/Rp + Q(UD1) + Q(UD2) - Q(UD3) - Q(UD4)
Lh*y8' = -y1
Lh*y9' = -y2
Ls2*y10' = y1/2 - y3 - Rg2*y10
Ls3*y11' = -y1/2 + y4 - Rg3*y11
Ls2*y12' = y2/2 - y5 - Rg2*y12
Ls3*y13' = -y2/2 + y6 - Rg3*y13
Ls1*y14' = -y1 + Uin1 - (Ri + Rg1)*y14
Ls1*y15' = -y2 - (Rc + Rg1)*y15

over t = 0 .. 1e-3
