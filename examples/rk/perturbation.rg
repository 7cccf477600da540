# Why the derivative of a perturbation counts where B(y) depends on the solution: y2 and y3 are 0 up to a fast
# perturbation of size eps, but y1 grows like eps^2 omega t.
# Source: Hairer, Lubich, Roche (1989), the example behind (1.14).
# Look at: --set omega=1e4: y1 is of size 1, though the perturbation is only 1e-2.
title "Perturbation that enters with its derivative"
param eps = 1e-2, omega = 100
var y1 = 0, y2, y3

y1' - y3*y2' + y2*y3' = 0
0 = y2 - eps*sin(omega*t)
0 = y3 - eps*cos(omega*t)

over t = 0 .. 1
exact y1 = eps^2*omega*t
exact y2 = eps*sin(omega*t)
exact y3 = eps*cos(omega*t)
