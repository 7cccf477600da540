# Heat that a wind carries along, on a grid: complex eigenvalues, and factorizations that cost as much as ten iterations.
# w is algebraic and follows a signal that is faster than the steps.
param N = 22, a = 3, k = 0.02
var u[i=1..N, j=1..N] = exp(-40*((i/N - 0.3)^2 + (j/N - 0.4)^2))
var w[i=1..N, j=1..N]

for i = 1..N, j = 1..N {
    u[i,j]' = a*N*(if(i == 1, 0, u[i-1,j]) - u[i,j]) + w[i,j]*sin(2*t) +
        k*N^2*(if(i == 1, -u[1,j], u[i-1,j] - u[i,j]) + if(i == N, 0, u[i+1,j] - u[i,j]) +
               if(j == 1, 0, u[i,j-1] - u[i,j]) + if(j == N, 0, u[i,j+1] - u[i,j]))
    0 = w[i,j]*(2 + u[i,j]) - u[i,j]*(1 - u[i,j]) - 0.3*sin(20*t)
}

over t = 0 .. 1
output u[1,1], w[1,1], u[6,8], w[6,8], u[12,8], w[12,8], u[N,N], w[N,N]
