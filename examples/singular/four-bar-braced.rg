# N four-bar windows side by side (four-bar.rg), braced: a bar without mass from the ground to the middle of each coupler.
# Look at: the N braces are redundant in every position, more of them than there are degrees of freedom; N further constraints lose rank
# where all rods lie on one line.  The forces are those of least norm.
# Source: N-four-bar of the IFToMM library of computational benchmark problems, A02, with redundant bars.
# Reference at t = 4, as without them: B[0] = (0.1176161023771, 0.9930591384513).
title "Braced N-four-bar mechanism (index 3, redundant)"
param N = 2, g = 9.81
var x[i=0..N] = i, y[i=0..N] = 1, x[i=0..N]' = 1, y[i=0..N]' = 0
var a[i=0..N], b[i=1..N], c[i=1..N]
let u[i=1..N] = (x[i] + x[i-1])/2 - i + 1/2, v[i=1..N] = (y[i] + y[i-1])/2

for i = 0..N {
    (1/3 + if(i > 0, 1/3, 0) + if(i < N, 1/3, 0))*x[i]'' + if(i > 0, x[i-1]''/6, 0) + if(i < N, x[i+1]''/6, 0) =
        -(x[i] - i)*a[i] - if(i > 0, (x[i] - x[i-1])*b[i] + u[i]*c[i]/2, 0) +
        if(i < N, (x[i+1] - x[i])*b[i+1] - u[i+1]*c[i+1]/2, 0)
    (1/3 + if(i > 0, 1/3, 0) + if(i < N, 1/3, 0))*y[i]'' + if(i > 0, y[i-1]''/6, 0) + if(i < N, y[i+1]''/6, 0) =
        -y[i]*a[i] - if(i > 0, (y[i] - y[i-1])*b[i] + v[i]*c[i]/2, 0) +
        if(i < N, (y[i+1] - y[i])*b[i+1] - v[i+1]*c[i+1]/2, 0) - g/2 - if(i > 0, g/2, 0) - if(i < N, g/2, 0)
    ((x[i] - i)^2 + y[i]^2 - 1)/2 = 0
}
for i = 1..N {
    ((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - 1)/2 = 0
    (u[i]^2 + v[i]^2 - 1)/2 = 0
}

over t = 0 .. 4
output x[0], y[0], x[0]', y[0]'
