# Andrews' squeezing mechanism: seven bodies in the plane, joined by six position constraints, driven by a motor.
# Source: Schiehlen (ed.), Multibody Systems Handbook; Hairer, Wanner, Solving Ordinary Differential Equations II;
# Test Set for IVP Solvers; problem A03 of the IFToMM library (there to t = 0.05).
# Look at: index 3 in second-order form, 13 unknowns; the multipliers and accelerations at the start are computed.
# Reference at t = 0.03: bt = 15.810771195154, th = -15.756371058412, ga = 4.0822240119646e-2, ph = -0.53473011634208,
#   de = 0.52440996587995, om = 0.53473011634208, ep = 1.0480807410419, bt' = 1139.9203022591, th' = -1424.3792951775,
#   lam1 = 199.17534810454, lam2 = -29.755309974972, lam3 = 23.066543611622, lam4 = 31.452725275771,
#   lam5 = 22.642494786394, lam6 = 11.61739235261
title "Andrews' squeezing mechanism (index 3)"
param m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498
param i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5
param xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530
param d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, rr = 7e-3, ra = 92e-5, l0 = 7785e-5
param ss = 35e-3, sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5
param u = 4e-2, ua = 1228e-5, ub = 449e-5, zf = 2e-2, zt = 4e-2, fa = 1421e-5, mom = 33e-3

var bt = -0.0617138900142764496358948458001, th = 0, ga = 0.455279819163070380255912382449
var ph = 0.222668390165885884674473185609, de = 0.487364979543842550225598953530
var om = -0.222668390165885884674473185609, ep = 1.23054744454982119249735015568
var bt' = 0, th' = 0, ga' = 0, ph' = 0, de' = 0, om' = 0, ep' = 0
var lam1, lam2, lam3, lam4, lam5, lam6

# mass matrix
let m11 = m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(th) + da^2) + i1 + i2
let m21 = m2*(da^2 - da*rr*cos(th)) + i2
let m22 = m2*da^2 + i2
let m33 = m3*(sa^2 + sb^2) + i3
let m44 = m4*(e - ea)^2 + i4
let m54 = m4*((e - ea)^2 + zt*(e - ea)*sin(ph)) + i4
let m55 = m4*(zt^2 + 2*zt*(e - ea)*sin(ph) + (e - ea)^2) + m5*(ta^2 + tb^2) + i4 + i5
let m66 = m6*(zf - fa)^2 + i6
let m76 = m6*((zf - fa)^2 - u*(zf - fa)*sin(om)) + i6
let m77 = m6*((zf - fa)^2 - 2*u*(zf - fa)*sin(om) + u^2) + m7*(ua^2 + ub^2) + i6 + i7

# the spring between C and D
let xd = sd*cos(ga) + sc*sin(ga) + xb
let yd = sd*sin(ga) - sc*cos(ga) + yb
let ls = sqrt((xd - xc)^2 + (yd - yc)^2)
let fo = -c0*(ls - l0)/ls
let fx = fo*(xd - xc)
let fy = fo*(yd - yc)

# all six loop equations contain the point (px, py), so the multipliers of x and of y add up
let px = rr*cos(bt) - d*cos(bt + th)
let py = rr*sin(bt) - d*sin(bt + th)
let lx = lam1 + lam3 + lam5
let ly = lam2 + lam4 + lam6

# M q'' = f - G^T lambda
m11*bt'' + m21*th'' = mom - m2*da*rr*th'*(th' + 2*bt')*sin(th) + py*lx - px*ly
m21*bt'' + m22*th'' = m2*da*rr*bt'^2*sin(th) - d*sin(bt + th)*lx + d*cos(bt + th)*ly
m33*ga'' = fx*(sc*cos(ga) - sd*sin(ga)) + fy*(sd*cos(ga) + sc*sin(ga)) +
    ss*cos(ga)*lam1 + ss*sin(ga)*lam2
m44*ph'' + m54*de'' = m4*zt*(e - ea)*de'^2*cos(ph) + e*cos(ph + de)*lam3 + e*sin(ph + de)*lam4
m54*ph'' + m55*de'' = -m4*zt*(e - ea)*ph'*(ph' + 2*de')*cos(ph) +
    (e*cos(ph + de) - zt*sin(de))*lam3 + (e*sin(ph + de) + zt*cos(de))*lam4
m66*om'' + m76*ep'' = -m6*u*(zf - fa)*ep'^2*cos(om) - zf*sin(om + ep)*lam5 + zf*cos(om + ep)*lam6
m76*om'' + m77*ep'' = m6*u*(zf - fa)*om'*(om' + 2*ep')*cos(om) -
    (zf*sin(om + ep) - u*cos(ep))*lam5 + (zf*cos(om + ep) + u*sin(ep))*lam6

# the loops are closed
0 = px - ss*sin(ga) - xb
0 = py + ss*cos(ga) - yb
0 = px - e*sin(ph + de) - zt*cos(de) - xa
0 = py + e*cos(ph + de) - zt*sin(de) - ya
0 = px - zf*cos(om + ep) - u*sin(ep) - xa
0 = py - zf*sin(om + ep) + u*cos(ep) - ya

over t = 0 .. 0.03
draw line(0, 0, rr*cos(bt), rr*sin(bt), px, py), line(px, py, xb, yb, xd, yd, px, py), line(xd, yd, xc, yc),
     line(xa, ya, xa + zt*cos(de), ya + zt*sin(de), px, py), line(xa, ya, xa + u*sin(ep), ya - u*cos(ep), px, py)
