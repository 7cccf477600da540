# Car axis of the IVP test set (definition and reference: examples/ivp/caraxis.rg), stabilized: both levels of the constraints.
title "Car axis (GGL, index 2)"
param eps = 1e-2, M = 10, L = 1, L0 = 1/2, r = 0.1, w = 10, g = 1
param k = M*eps^2/2
var xl = 0, yl = 1/2, xr = 1, yr = 1/2
var vxl = -1/2, vyl = 0, vxr = -1/2, vyr = 0
var lam1, lam2, mu1, mu2
let yb = r*sin(w*t)
let xb = sqrt(L^2 - yb^2)
let dyb = r*w*cos(w*t)
let dxb = -yb*dyb/xb
let Ll = sqrt(xl^2 + yl^2)
let Lr = sqrt((xr - xb)^2 + (yr - yb)^2)

xl' = vxl - mu1*xb - 2*mu2*(xl - xr)
yl' = vyl - mu1*yb - 2*mu2*(yl - yr)
xr' = vxr + 2*mu2*(xl - xr)
yr' = vyr + 2*mu2*(yl - yr)
k*vxl' = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr)
k*vyl' = (L0 - Ll)*yl/Ll + lam1*yb + 2*lam2*(yl - yr) - k*g
k*vxr' = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr)
k*vyr' = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - k*g
0 = xl*xb + yl*yb
0 = (xl - xr)^2 + (yl - yr)^2 - L^2
0 = vxl*xb + xl*dxb + vyl*yb + yl*dyb
0 = 2*(xl - xr)*(vxl - vxr) + 2*(yl - yr)*(vyl - vyr)

over t = 0 .. 3
