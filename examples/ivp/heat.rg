# Heat conduction in a rod: temperatures u in the cells, and the flux f through every face as an unknown of its own
# (an algebraic equation: Fourier's law).  Ends at temperature 0.
# Look at: arrays with different bounds, `for`, and `if` with a condition in the index: it is decided when the model
# is loaded, so that u[0] and u[N+1] are never looked at.
# The exact solution is that of the differences in space, so the errors reported are those of the time steps.
title "Heat conduction with algebraic flux"
param N = 20, k = 1
param dx = 1/(N + 1)
param decay = 4*k/dx^2*sin(pi*dx/2)^2
var u[i=1..N] = sin(pi*i*dx)
var f[i=0..N]

for i = 1..N {
    u[i]' = (f[i-1] - f[i])/dx
}
for i = 0..N {
    f[i] = -k*(if(i == N, 0, u[i+1]) - if(i == 0, 0, u[i]))/dx
}

over t = 0 .. 0.5
for i = 1..N {
    exact u[i] = exp(-decay*t)*sin(pi*i*dx)
}
for i = 0..N {
    exact f[i] = -2*k/dx*sin(pi*dx/2)*cos(pi*(i + 1/2)*dx)*exp(-decay*t)
}
