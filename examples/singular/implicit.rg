# Equations that are not solved for the derivatives; forces and constraint lose their grip at t = 1/2.
# Look at: the system Jacobian of the structural analysis takes the place of G B, nothing else changes.
title "Implicit equations, constraint and force vanish at t = 1/2"
var x1 = 0, x2 = 1, y
let u = x1' - cos(t)
u + u^3 + (1 - 2*t)*(y - exp(t)) = x2 - cos(t)
(1 + x1^2)*x2' + 2*(1 - 2*t)*(y - exp(t)) = -(1 + sin(t)^2)*sin(t)
0 = (1 - 2*t)*(x1 + x2 - sin(t) - cos(t))

over t = 0 .. 1
exact x1 = sin(t)
exact x2 = cos(t)
