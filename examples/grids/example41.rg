# A known solution of the Navier-Stokes equations in the unit square (thesis, Example 4.1)
title "Flow with a known solution"
param mu = .1, N = 64
domain x = 0..1 cells N, y = 0..1 cells N
fun A(s) = s^2*(1 - s)^2
fun B(s) = s*(1 - s)*(1 - 2*s)
fun A1(s) = 2*s*(1 - s)*(1 - 2*s)
fun B1(s) = 1 - 6*s + 6*s^2
fun A2(s) = 2 - 12*s + 12*s^2
fun B2(s) = 12*s - 6
let E = 1 + exp(-t)
let U = 50*A(x)*B(y)*E, V = -50*A(y)*B(x)*E
let f = -50*A(x)*B(y)*exp(-t) + U*50*A1(x)*B(y)*E + V*50*A(x)*B1(y)*E -
        mu*50*(A2(x)*B(y) + A(x)*B2(y))*E - (x + 2)*E^2
let g = 50*A(y)*B(x)*exp(-t) - U*50*A(y)*B1(x)*E - V*50*A1(y)*B(x)*E +
        mu*50*(A2(y)*B(x) + A(y)*B2(x))*E - (y - 2)*E^2

vector u = (100*A(x)*B(y), -100*A(y)*B(x))
field p
u' + div(u*u) = mu*lap(u) - grad(p) + (f, g)
div(u) = 0

over t = 0 .. 1
exact u = (U, V), p = (-x*(x/2 + 2) - y*(y/2 - 2) + 1/3)*E^2
