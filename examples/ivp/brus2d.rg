# The Brusselator with diffusion on a square, no flux through the boundary; w = u v is an algebraic unknown.
# Source: Hairer, Wanner, Solving Ordinary Differential Equations II (there without w).
# Look at: two indices, and differences over missing neighbours that are left out when the model is loaded.
# Reference at t = 2, N = 18: u[1,1] = 0.68242342225, v[1,1] = 2.5293173214, w[1,1] = 1.7260653824,
#   u[10,5] = 0.65537418677, v[10,5] = 2.5712234255, w[10,5] = 1.6851134615,
#   u[18,18] = 0.61789817369, v[18,18] = 2.6350006359, w[18,18] = 1.6281620806
#   N = 58: u[1,1] = 0.680937859, u[30,15] = 0.655409913, u[58,58] = 0.616933310
title "Brusselator, two dimensions, index 1"
param N = 18, alpha = 0.1
param D = alpha*N^2
param m = (N - mod(N, 2))/2 + 1, k = (N - mod(N, 4))/4 + 1     # a cell in the interior
var u[i=1..N, j=1..N] = 22*(j - 1/2)/N*(1 - (j - 1/2)/N)^1.5
var v[i=1..N, j=1..N] = 27*(i - 1/2)/N*(1 - (i - 1/2)/N)^1.5
var w[i=1..N, j=1..N]

for i = 1..N, j = 1..N {
    u[i,j]' = 1 + w[i,j]*u[i,j] - 4.4*u[i,j] +
        D*(if(i == 1, 0, u[i-1,j] - u[i,j]) + if(i == N, 0, u[i+1,j] - u[i,j]) +
           if(j == 1, 0, u[i,j-1] - u[i,j]) + if(j == N, 0, u[i,j+1] - u[i,j]))
    v[i,j]' = 3.4*u[i,j] - w[i,j]*u[i,j] +
        D*(if(i == 1, 0, v[i-1,j] - v[i,j]) + if(i == N, 0, v[i+1,j] - v[i,j]) +
           if(j == 1, 0, v[i,j-1] - v[i,j]) + if(j == N, 0, v[i,j+1] - v[i,j]))
    0 = w[i,j] - u[i,j]*v[i,j]
}

over t = 0 .. 2
output u[1,1], v[1,1], w[1,1], u[m,k], v[m,k], w[m,k], u[N,N], v[N,N], w[N,N]
