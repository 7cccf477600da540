# B(y) y' = a(y) with a singular matrix B that depends on the solution, of constant rank 1: one differential equation
# with the derivatives of all three unknowns, two algebraic ones.
# Source: the class (1.13) of Hairer, Lubich, Roche (1989); equations made for this solution.
# Look at: index 2 in the sense of perturbations, one degree of freedom.
title "Solution-dependent singular matrix, B(y) y' = a(y)"
var y1 = 1, y2 ~ 0, y3 ~ 1

y1' - y3*y2' + y2*y3' = -sin(t) - (1 + t/2)*cos(t) + sin(t)/2 + (y1 - cos(t))*y3
0 = y2 - sin(t) + (y1 - cos(t))*y3
0 = y3 + y1*y2 - 1 - t/2 - cos(t)*sin(t)

over t = 0 .. 2
exact y1 = cos(t)
exact y2 = sin(t)
exact y3 = 1 + t/2
