# A point mass slides down and up a parabola with dry friction: the friction is mu times the normal force, so the multiplier
# enters the equations through its modulus.
# Source: P. Lin, thesis, section 7.2 (motion on a parabolic orbit with gravitation and Coulomb friction, after M. Arnold, 1994).
# Along the motion to the right (x'^2 + g/2)*(1 + 4*x^2)*exp(2*mu*atan(2*x)) is constant: the output `kept`.
# Look at: srm takes the variant for equations that are not linear in the multiplier.
title "Point mass on a parabola with Coulomb friction (index 3)"
param g = 9.81, mu = 0.2
var x = -1, y = 1, x' = 2, y' = -4
var lambda

let speed = sqrt(x'^2 + y'^2)
let normal = abs(lambda)*sqrt(1 + 4*x^2)
x'' = -2*x*lambda - mu*normal*x'/speed
y'' = -g + lambda - mu*normal*y'/speed
0 = y - x^2

over t = 0 .. 0.6
output x, y, x', lambda, kept = (x'^2 + g/2)*(1 + 4*x^2)*exp(2*mu*atan(2*x))
solve method = srm
