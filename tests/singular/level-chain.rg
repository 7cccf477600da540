# examples/ivp/chain.rg with 60 links: level at the start, so that the heights of links further out are nearly 0 for long.  Links
# never lose their rank.
title "Chain of links (index 3)"
param N = 60, g = 9.81
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

over t = 0 .. 0.25
output x[N], y[N], energy = sum(i=1..N, (x[i]'^2 + y[i]'^2)/2 + g*y[i])/N
