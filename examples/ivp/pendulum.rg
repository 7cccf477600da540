# pendulum.rg
title "Pendulum in Cartesian coordinates"
param m = 1, l = 1, g = 9.81
var   p = 1, q = 0, u = 0, v = 0     # values at the start, to be kept
var   lambda                         # nothing known: computed

p' = u
q' = v
m*u' = -p*lambda
m*v' = -q*lambda - m*g
0 = p^2 + q^2 - l^2

over t = 0 .. 10
output p, q, energy = m*(u^2 + v^2)/2 + m*g*q
draw line(0, 0, p, q), circle(p, q, l/20)
