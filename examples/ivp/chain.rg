# A chain of N links, fixed at one end, is held straight and horizontal, and let go.  s[i] is the force in link i divided
# by its length.
# Look at: --set N=1000 is no more text and hardly more time to analyse; index 3, 2 N degrees of freedom; the energy
# is 0 for all times.
# Reference at t = 1, N = 20: x[20] = -0.90868883, y[20] = -0.16339488 (eight digits: the model as written at 1e-11 and the
# reduced model at 1e-10 agree)
title "Chain of links (index 3)"
param N = 20, g = 9.81
var x[i=1..N] = i/N, y[i=1..N] = 0
var x[i=1..N]' = 0, y[i=1..N]' = 0
var s[i=1..N]
let X[i=0..N] = if(i == 0, 0, x[i])
let Y[i=0..N] = if(i == 0, 0, y[i])

for i = 1..N {
    x[i]''/N = -s[i]*(X[i] - X[i-1]) + if(i == N, 0, s[i+1]*(X[i+1] - X[i]))
    y[i]''/N = -s[i]*(Y[i] - Y[i-1]) + if(i == N, 0, s[i+1]*(Y[i+1] - Y[i])) - g/N
    0 = (X[i] - X[i-1])^2 + (Y[i] - Y[i-1])^2 - 1/N^2
}

over t = 0 .. 1
output x[N], y[N], energy = sum(i=1..N, (x[i]'^2 + y[i]'^2)/2 + g*y[i])/N
