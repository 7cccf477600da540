# A planar robot of two links whose hand moves on a line; the forces are chosen such that the solution is known.
# Source: Ascher, Lin, Sequential regularization methods for nonlinear higher index DAEs (1995), Example 6.4.
# Look at: a mass matrix that depends on the position, index 3.
title "Two-link robot, hand on a line (index 3)"
var a = 0, b = 0, a' = 1, b' = -2
var lambda
let c = cos(b)

(5 + 3*c)*a'' + (1 + 1.5*c)*b'' = (cos(a) + cos(a + b))*(cos(t) - lambda) - 3*sin(t)
(1 + 1.5*c)*a'' + b'' = cos(a + b)*(cos(t) - lambda) + (1 - 1.5*c)*sin(t)
0 = sin(a) + sin(a + b)

over t = 0 .. 3
exact a = sin(t)
exact b = -2*sin(t)
exact lambda = cos(t)
