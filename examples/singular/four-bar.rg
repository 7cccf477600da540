# N four-bar windows side by side: 2N+1 rods of length 1 and mass 1, gravity in -y.  B[i] = (x[i], y[i]) is the upper end of rod i.
# Look at: when all rods lie on one line (twice per turn) N constraints lose rank, and branches with folded windows cross there.
# Source: IFToMM library of computational benchmark problems, A02.
# Reference at t = 10: B[0] = (0.328458111541, 0.944518538179), velocity (1.423051470207, -0.494868845487).
title "N-four-bar mechanism (index 3)"
param N = 2, g = 9.81
var x[i=0..N] = i, y[i=0..N] = 1, x[i=0..N]' = 1, y[i=0..N]' = 0
var a[i=0..N], b[i=1..N]

for i = 0..N {
    (1/3 + if(i > 0, 1/3, 0) + if(i < N, 1/3, 0))*x[i]'' + if(i > 0, x[i-1]''/6, 0) + if(i < N, x[i+1]''/6, 0) =
        -(x[i] - i)*a[i] - if(i > 0, (x[i] - x[i-1])*b[i], 0) + if(i < N, (x[i+1] - x[i])*b[i+1], 0)
    (1/3 + if(i > 0, 1/3, 0) + if(i < N, 1/3, 0))*y[i]'' + if(i > 0, y[i-1]''/6, 0) + if(i < N, y[i+1]''/6, 0) =
        -y[i]*a[i] - if(i > 0, (y[i] - y[i-1])*b[i], 0) + if(i < N, (y[i+1] - y[i])*b[i+1], 0) -
        g/2 - if(i > 0, g/2, 0) - if(i < N, g/2, 0)
    ((x[i] - i)^2 + y[i]^2 - 1)/2 = 0
}
for i = 1..N {
    ((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - 1)/2 = 0
}

over t = 0 .. 10
output x[0], y[0], x[0]', y[0]'
for i = 0..N { draw line(i, 0, x[i], y[i]) }
for i = 1..N { draw line(x[i-1], y[i-1], x[i], y[i]) }
