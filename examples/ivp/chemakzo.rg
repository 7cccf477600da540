# Chemical Akzo Nobel: two species are mixed while carbon dioxide is added; an equilibrium is the algebraic equation.
# Source: Test Set for IVP Solvers (Bari).
# Look at: y6 is not given; the equilibrium determines it.
# Reference at t = 180: y1 = 0.1150794920661702, y2 = 0.1203831471567715e-2, y3 = 0.1611562887407974,
#   y4 = 0.3656156421249283e-3, y5 = 0.1708010885264404e-1, y6 = 0.4873531310307455e-2
title "Chemical Akzo Nobel"
param k1 = 18.7, k2 = 0.58, k3 = 0.09, k4 = 0.42, K = 34.4
param klA = 3.3, Ks = 115.83, pCO2 = 0.9, H = 737
var y1 = 0.444, y2 = 0.00123, y3 = 0, y4 = 0.007, y5 = 0
var y6
let r1 = k1*y1^4*sqrt(y2)
let r2 = k2*y3*y4
let r3 = k2/K*y1*y5
let r4 = k3*y1*y4^2
let r5 = k4*y6^2*sqrt(y2)
let Fin = klA*(pCO2/H - y2)

y1' = -2*r1 + r2 - r3 - r4
y2' = -r1/2 - r4 - r5/2 + Fin
y3' =  r1 - r2 + r3
y4' = -r2 + r3 - 2*r4
y5' =  r2 - r3 + r5
0 = Ks*y1*y4 - y6

over t = 0 .. 180
