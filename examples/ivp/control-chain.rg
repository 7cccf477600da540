# Which input u moves the end of a chain of three integrators along a prescribed path?  The answer is the third
# derivative of the path; its derivative would be the fourth: index 4, no degree of freedom.
# Look at: nothing is given and everything is computed, from the derivatives of the last equation.
title "Prescribed path control (index 4)"
var x1, x2, x3, u

x1' = x2
x2' = x3
x3' = u
x1 = sin(2*t)*exp(-t)

over t = 0 .. 3
exact x1 = sin(2*t)*exp(-t)
exact x2 = (2*cos(2*t) - sin(2*t))*exp(-t)
exact x3 = (-4*cos(2*t) - 3*sin(2*t))*exp(-t)
exact u = (-2*cos(2*t) + 11*sin(2*t))*exp(-t)
