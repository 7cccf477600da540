# Two phases flow through a pipe, in N cells from left to right (upwind): a is the part of the first one, w the common
# velocity.  The first phase turns into the second one, which takes more room, so the velocity grows along the pipe: it
# is algebraic, fixed by the parts filling every cell.
# Source: an equivalent of the two-phase plug flow problem in section 9 of Hairer, Lubich, Roche (1989).
# Reference at t = 3 (two methods, 12 digits): a[20] = 0.306266135534, w[20] = 1.257443776899.
# Look at: index 1, N degrees of freedom; the steady state a[i] = a[i-1] w[i-1]/(w[i] + rate*dx), reached exponentially.
title "Two-phase plug flow (equivalent)"
param N = 20, rate = 1, swell = 0.5, inlet = 0.9
param dx = 1/N
var a[i=1..N] = 0.2
var w[i=1..N] ~ 1

a[1]' = (inlet - a[1]*w[1])/dx - rate*a[1]
for i = 2..N { a[i]' = (a[i-1]*w[i-1] - a[i]*w[i])/dx - rate*a[i] }
0 = w[1] - 1 - swell*rate*dx*a[1]
for i = 2..N { 0 = w[i] - w[i-1] - swell*rate*dx*a[i] }

over t = 0 .. 3
output a[N], w[N]
