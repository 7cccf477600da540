# A membrane on nonlinear springs, forced: waves of all lengths, eigenvalues near the imaginary axis.  The energy density
# e is algebraic and follows from the others by a Jacobian that the steps need not know well.
param N = 20
var u[i=1..N, j=1..N] = sin(pi*i/(N + 1))*sin(2*pi*j/(N + 1))
var v[i=1..N, j=1..N] = 0
var e[i=1..N, j=1..N]

for i = 1..N, j = 1..N {
    u[i,j]' = v[i,j]
    v[i,j]' = (N + 1)^2/25*(if(i == 1, 0, u[i-1,j]) + if(i == N, 0, u[i+1,j]) + if(j == 1, 0, u[i,j-1]) +
                            if(j == N, 0, u[i,j+1]) - 4*u[i,j]) - u[i,j]^3 + cos(3*t)
    0 = e[i,j] - v[i,j]^2 - u[i,j]^2
}

over t = 0 .. 4
output u[1,1], v[1,1], e[1,1], u[8,5], v[8,5], e[8,5], u[N,N], v[N,N]
