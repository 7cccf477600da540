# Ring modulator: a low-frequency and a high-frequency signal are mixed by four diodes and three transformers.
# Source: E.-H. Horneber 1976; Test Set for IVP Solvers (Bari).
# Look at: the tiny capacitances Cs make it stiff and fast oscillating; ringmod-cs0.rg leaves them out.
# Reference at t = 1e-3: y1 = -0.23390574e-1, y2 = -0.73674855e-2, y3 = 0.25829567, y4 = -0.40644657,
#   y5 = -0.40394557, y6 = 0.26079668, y7 = 0.11067619, y8 = 0.29399043e-6, y9 = -0.28400299e-7,
#   y10 = 0.72671983e-3, y11 = 0.79294872e-3, y12 = -0.72552835e-3, y13 = -0.79414020e-3, y14 = 0.70884954e-4,
#   y15 = 0.23900591e-4
title "Ring modulator"
param C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, R = 25000, Rp = 50, Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Ls3 = 5e-4
param Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600, gamma = 40.67286402e-9, delta = 17.7493332
fun Q(U) = gamma*(exp(delta*U) - 1)
let Uin1 = 0.5*sin(2e3*pi*t)
let Uin2 = 2*sin(2e4*pi*t)
let UD1 = y3 - y5 - y7 - Uin2
let UD2 = -y4 + y6 - y7 - Uin2
let UD3 = y4 + y5 + y7 + Uin2
let UD4 = -y3 - y6 + y7 + Uin2
var y1 = 0, y2 = 0, y3 = 0, y4 = 0, y5 = 0, y6 = 0, y7 = 0, y8 = 0
var y9 = 0, y10 = 0, y11 = 0, y12 = 0, y13 = 0, y14 = 0, y15 = 0

C*y1' = y8 - y10/2 + y11/2 + y14 - y1/R
C*y2' = y9 - y12/2 + y13/2 + y15 - y2/R
Cs*y3' = y10 - Q(UD1) + Q(UD4)
Cs*y4' = -y11 + Q(UD2) - Q(UD3)
Cs*y5' = y12 + Q(UD1) - Q(UD3)
Cs*y6' = -y13 - Q(UD2) + Q(UD4)
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
