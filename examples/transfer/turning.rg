# A constraint that turns with t: the kernel of the matrix before y' rotates, with growth e^(+-10 t) inside.
# y = R(t) x, R the rotation by omega t in the plane (2, 3); x1'' = 100 x1, x3 = 1 + sin(t); x2 = x1'.
# Look at: no unknown is differential or algebraic by itself; 'regula check' finds index 1 by the numerical rank.
# The invariants are kept to rounding all the same.
title "Turning kernel with growth and decay"
param k = 10, omega = 3
var y[i=1..3]
let c = cos(omega*t), s = sin(omega*t)

y[1]' = c*y[2] + s*y[3]
(c*y[2] + s*y[3])' = k^2*y[1]
-s*y[2] + c*y[3] = 1 + sin(t)

over t = 0 .. 2
boundary y[1](0) = 1
boundary y[2](2) = -k*exp(-2*k)*cos(2*omega) - sin(2*omega)*(1 + sin(2))
exact y[1] = exp(-k*t)
exact y[2] = -k*exp(-k*t)*cos(omega*t) - sin(omega*t)*(1 + sin(t))
exact y[3] = -k*exp(-k*t)*sin(omega*t) + cos(omega*t)*(1 + sin(t))
solve method = transfer
