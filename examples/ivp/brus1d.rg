# The Brusselator with diffusion in one dimension; the product w = u v is an algebraic unknown in every cell.
# Source: Hairer, Wanner, Solving Ordinary Differential Equations II (there without w).
# Look at: --set N=3333 or N=33333 (odd) scales it up; the matrices stay sparse.
# Reference at t = 10: N = 333:  u[1] = 0.99223794833, u[167] = 0.42985557652, u[333] = 0.99227816468,
#   v[1] = 3.0097871756, v[167] = 3.6881459756, w[1] = 2.9864250520, w[167] = 1.5853701146;
#   N = 3333: u[1667] = 0.4298550317, v[1667] = 3.688136905;  N = 33333: u[16667] = 0.429855026, v[16667] = 3.68813681
title "Brusselator, one dimension, index 1"
param N = 333, alpha = 1/50
param dx = 1/(N + 1), D = alpha/dx^2
var u[i=1..N] = 1 + sin(2*pi*i*dx)
var v[i=1..N] = 3
var w[i=1..N]

for i = 1..N {
    u[i]' = 1 + w[i]*u[i] - 4*u[i] + D*(if(i == 1, 1, u[i-1]) - 2*u[i] + if(i == N, 1, u[i+1]))
    v[i]' = 3*u[i] - w[i]*u[i] + D*(if(i == 1, 3, v[i-1]) - 2*v[i] + if(i == N, 3, v[i+1]))
    0 = w[i] - u[i]*v[i]
}

over t = 0 .. 10
output u[1], v[1], w[1], u[(N+1)/2], v[(N+1)/2], w[(N+1)/2], u[N], v[N], w[N]
