# A stiff reaction in every cell of a grid: fuel f, radicals r that follow it within 1e-3, and an algebraic unknown.
param N = 14, D = 0.01*N^2
var f[i=1..N, j=1..N] = 1 + 0.5*sin(2*pi*i/N)*cos(pi*j/N)
var r[i=1..N, j=1..N] = 0
var s[i=1..N, j=1..N]

for i = 1..N, j = 1..N {
    f[i,j]' = 0.2 - f[i,j]*r[i,j] +
        D*(if(i == 1, 0, f[i-1,j] - f[i,j]) + if(i == N, 0, f[i+1,j] - f[i,j]) +
           if(j == 1, 0, f[i,j-1] - f[i,j]) + if(j == N, 0, f[i,j+1] - f[i,j]))
    r[i,j]' = 1000*(f[i,j]^2 - r[i,j]*(1 + s[i,j])) +
        D*(if(i == 1, 0, r[i-1,j] - r[i,j]) + if(i == N, 0, r[i+1,j] - r[i,j]) +
           if(j == 1, 0, r[i,j-1] - r[i,j]) + if(j == N, 0, r[i,j+1] - r[i,j]))
    0 = s[i,j] - sqrt(f[i,j]^2 + r[i,j]) - cos(4*t)/4
}

over t = 0 .. 4
output f[1,1], r[1,1], s[1,1], f[5,8], r[5,8], s[5,8], f[N,N], r[N,N], s[N,N]
