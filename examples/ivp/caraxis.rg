# A car axis on a bumpy road: the left wheel is on a flat road, the right one follows a wave; the chassis is held by
# two springs.  Two position constraints, the second-order form as the textbook has it.
# Source: Test Set for IVP Solvers (Bari), after S. Schneider.
# Look at: xb and yb depend on time, so the hidden constraints do too; no derivative of them is written here.
# Reference at t = 3: xl = 4.9345578427524e-2, yl = 4.9698946023001e-1, xr = 1.0417425248854, yr = 3.739110272654e-1,
#   xl' = -7.705836840359e-2, yl' = 7.4468665921e-3, xr' = 1.7556815754e-2, yr' = 7.70341043780e-1,
#   lam1 = -4.7368865910e-3, lam2 = -1.1046803313e-3
title "Car axis (index 3)"
param eps = 1e-2, M = 10, L = 1, L0 = 1/2, r = 0.1, w = 10, g = 1
param k = M*eps^2/2
var xl = 0, yl = 1/2, xr = 1, yr = 1/2
var xl' = -1/2, yl' = 0, xr' = -1/2, yr' = 0
var lam1, lam2
let yb = r*sin(w*t)
let xb = sqrt(L^2 - yb^2)
let Ll = sqrt(xl^2 + yl^2)
let Lr = sqrt((xr - xb)^2 + (yr - yb)^2)

k*xl'' = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr)
k*yl'' = (L0 - Ll)*yl/Ll + lam1*yb + 2*lam2*(yl - yr) - k*g
k*xr'' = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr)
k*yr'' = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - k*g
0 = xl*xb + yl*yb
0 = (xl - xr)^2 + (yl - yr)^2 - L^2

over t = 0 .. 3
