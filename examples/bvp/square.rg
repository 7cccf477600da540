# Laplace's equation on the unit square, lines along t: u = sin(pi x) at t = 0 and 1, u = 0 on the other sides.
# The matrix is sparse: --set M=1000 takes 2000 states.  exact is that of the lines, not of the square.
title "Laplace's equation by lines"
param M = 50
param h = 1/(M + 1), k = 2*(1 - cos(pi*h))/h^2
var u[i=1..M] ~ 0

for i = 1..M {
    u[i]'' = (2*u[i] - if(i == 1, 0, u[i-1]) - if(i == M, 0, u[i+1]))/h^2
    boundary u[i](start) = sin(pi*i*h)
    boundary u[i](end) = sin(pi*i*h)
    exact u[i] = sin(pi*i*h)*cosh(sqrt(k)*(t - 0.5))/cosh(sqrt(k)/2)
}

over t = 0 .. 1
output middle = u[(M + mod(M, 2))/2]
