# Stiff flyball governor (IFToMM A05), symmetric form: s is the height of the slider, a the angle of the rods below the
# horizontal; the spin omega follows from the momentum about the axis, which is constant.
# Source: Gonzalez et al., Multibody System Dynamics 16 (2006) 179-190.
# Look at: (d)' is the total derivative of an expression; nobody differentiates the length of the spring by hand.
# Reference: t = 1: s = 0.5014209224, a = 0.5218333016, omega = 6.2711257419;
#            t = 10: s = 0.6196229171, a = 0.3900737018, omega = 5.5482036227
title "Stiff flyball governor (IFToMM A05)"
param g = 9.81, K = 8e5, C = 4e4, d0 = 0.5
param It = 0.3*(1 + 1e-4)/12, Ia = 0.3*2e-4/12, Jr = 0.3*0.25 + It + 5
fun Iz(x) = 0.3*2e-4/12 + 3*0.02/12 +
    2*(0.3*(0.05 + 0.5*cos(x))^2 + It*cos(x)^2 + Ia*sin(x)^2 + 5*(0.05 + cos(x))^2)
fun dIz(x) = -sin(x)*(0.6*(0.05 + 0.5*cos(x)) + 4*(It - Ia)*cos(x) + 20*(0.05 + cos(x)))
var s = 0.5, a = pi/6, s' = 0, a' = 0
var omega
let z = 1 - 0.5*sin(a) - s
let d = sqrt(0.25*cos(a)^2 + z^2)
let F = K*(d - d0) + C*(d)'

3*s'' = -3*g + 2*F*z/d
2*Jr*a'' = dIz(a)*omega^2/2 + 2*g*(0.15 + 5)*cos(a) + F*cos(a)*(0.5*sin(a) + z)/d
omega*Iz(a) = 2*pi*Iz(pi/6)

over t = 0 .. 10
output s, a, omega
draw line(0, 0, 0, 1), line(.05 + cos(a), 1 - sin(a), .05, 1, -.05, 1, -.05 - cos(a), 1 - sin(a)),
     line(.05 + .5*cos(a), 1 - .5*sin(a), .05, s, -.05, s, -.05 - .5*cos(a), 1 - .5*sin(a)),
     circle(.05 + cos(a), 1 - sin(a), .06), circle(-.05 - cos(a), 1 - sin(a), .06)
solve tol = 1e-8
