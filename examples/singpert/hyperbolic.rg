# eps*(u_tt - u_xx) + a*u_t + b*u_x + c*u = 0 by lines: upwind in x with the fitted coefficient of (6.63).
title "Hyperbolic problem with a layer, by lines"
param eps = 1e-2, N = 256, a = 2, b = 1, c = 1
param h = 1/N
let fitted = b*h/(exp(min(b*h/eps, 700)) - 1)
var u[i=1..N-1] = 256*(i/N*(1 - i/N))^4
var u[i=1..N-1]' = 0

for i = 1..N-1 {
    eps*u[i]'' + a*u[i]' + b*(u[i] - if(i == 1, 0, u[i-1]))/h + c*u[i] =
        fitted*(if(i == N-1, 0, u[i+1]) - 2*u[i] + if(i == 1, 0, u[i-1]))/h^2
}

over t = 0 .. 1
output middle = u[N/2], right = u[3*N/4]
