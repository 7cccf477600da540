# Car axis of the IVP test set (definition and reference: examples/ivp/caraxis.rg), constraints differentiated once.
title "Car axis (index 2)"
param eps = 1e-2, M = 10, L = 1, L0 = 1/2, r = 0.1, w = 10, g = 1
param k = M*eps^2/2
var xl = 0, yl = 1/2, xr = 1, yr = 1/2
var xl' = -1/2, yl' = 0, xr' = -1/2, yr' = 0
var lam1, lam2
let yb = r*sin(w*t)
let xb = sqrt(L^2 - yb^2)
let dyb = r*w*cos(w*t)
let dxb = -yb*dyb/xb
let Ll = sqrt(xl^2 + yl^2)
let Lr = sqrt((xr - xb)^2 + (yr - yb)^2)

k*xl'' = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr)
k*yl'' = (L0 - Ll)*yl/Ll + lam1*yb + 2*lam2*(yl - yr) - k*g
k*xr'' = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr)
k*yr'' = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - k*g
0 = xl'*xb + xl*dxb + yl'*yb + yl*dyb
0 = 2*(xl - xr)*(xl' - xr') + 2*(yl - yr)*(yl' - yr')

over t = 0 .. 3
