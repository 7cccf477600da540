# Fekete points: twenty charges on a sphere move with friction until they are at rest; then they are as far from each
# other as they can be.  Stabilized form with two multipliers per point.
# Source: Test Set for IVP Solvers (Bari), after Bendtsen, Lioen, de Swart, Wilson.
# Look at: arrays with two indices, tables of data by `if` on the index, and a sum that leaves one term out.
# Index 2; 160 unknowns, 80 degrees of freedom.  At the end q = 0, mu = 0, lambda = -4.75;
# Reference at t = 1000: p[1,1] = -0.407026338033, p[1,2] = 0.346375877279, p[1,3] = 0.845194245003,
#   p[20,1] = 0.241448176697, p[20,2] = -0.341645681837, p[20,3] = -0.908284650345
title "Fekete points on the sphere"
param N = 20
param a[i=1..N] = if(i <= 3, 2*pi*i/3 + pi/13,
    if(i <= 10, 2*pi*(i - 3)/7 + pi/29,
    if(i <= 16, 2*pi*(i - 10)/6 + pi/7, 2*pi*(i - 17)/4 + pi/17)))
param b[i=1..N] = if(i <= 3, 3*pi/8, if(i <= 10, pi/8, if(i <= 16, -2*pi/15, -3*pi/10)))
var p[i=1..N, k=1..3] = if(k == 1, cos(a[i])*cos(b[i]), if(k == 2, sin(a[i])*cos(b[i]), sin(b[i])))
var q[i=1..N, k=1..3] = 0
var lambda[i=1..N], mu[i=1..N]
let distance2[i=1..N, j=1..N] = (p[i,1] - p[j,1])^2 + (p[i,2] - p[j,2])^2 + (p[i,3] - p[j,3])^2

for i = 1..N, k = 1..3 {
    p[i,k]' = q[i,k] + 2*mu[i]*p[i,k]
    q[i,k]' = -q[i,k]/2 + 2*lambda[i]*p[i,k] +
        sum(j=1..N, if(j == i, 0, (p[i,k] - p[j,k])/distance2[i,j]))
}
for i = 1..N {
    0 = sum(k=1..3, p[i,k]^2) - 1
    0 = 2*sum(k=1..3, p[i,k]*q[i,k])
}

over t = 0 .. 1000
