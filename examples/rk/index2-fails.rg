# An index 2 system on which methods fail as written: implicit Euler multiplies errors by eta/(1 + eta), which grows for
# eta < -1/2, and for eta = -1 it has no solution at all, though the equations have one for every eta.
# Source: an equivalent of the example in section 2 of Hairer, Lubich, Roche (1989); after Gear, Petzold (1984).
# Look at: written as 0 = x + eta*t*y - sin(t), x' + eta*t*y' + (1 + eta)*y = cos(t) + exp(-t), the index comes from a
# combination of equations, and regula ends with an error instead of a wrong answer.  Here the combination is an
# unknown of its own, w: every method works, for every eta.
title "Index 2 where methods fail as written (equivalent)"
param eta = -0.8
var x ~ 0, y ~ 1, w ~ 0

w = x + eta*t*y
0 = w - sin(t)
w' + y = cos(t) + exp(-t)

over t = 0 .. 2
exact x = sin(t) - eta*t*exp(-t)
exact y = exp(-t)
exact w = sin(t)
