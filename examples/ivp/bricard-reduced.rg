# Bricard's mechanism (IFToMM A04) as in bricard.rg, without its redundant constraint: that the axes of the last rod and
# of the ground are perpendicular follows from all the others.  All forces are determined now.
# Source: Gonzalez et al., Multibody System Dynamics 16 (2006) 179-190.
# Look at: index 3, 2 degrees of freedom; start values p', u' are given, the forces are computed.
# Reference: energy -29.43; p[3] at t = 1: 0.510501461, -1.649167599, 0.140123115;
#   at t = 2: -0.969340345, -1.221246895, 0.754278011
title "Bricard's mechanism without the redundant constraint"
param g = 9.81, J = 0.02/12
var p[k=1..4, c=1..3] = if(c == 1, if(k <= 3, 1, 0), if(c == 2, if(k == 1, 0, -1), if(k <= 2, 0, 1)))
var p[k=1..4, c=1..3]' = 0
var u[k=1..4, c=1..3] = if(c == mod(k + 1, 3) + 1, 1, 0)       # z, x, y, z
var u[k=1..4, c=1..3]' = 0
var n[k=1..5], alpha[k=1..5], beta[k=1..5], gamma[k=1..4], nu[k=1..4]

# all points, axes and rods, with those of the ground
let P[k=0..5, c=1..3] = if(k == 0, 0, if(k == 5, if(c == 3, 1, 0), p[k,c]))
let U[k=0..5, c=1..3] = if(k == 0, if(c == 2, 1, 0), if(k == 5, if(c == 1, 1, 0), u[k,c]))
let r[k=1..5, c=1..3] = P[k,c] - P[k-1,c]

for k = 1..4, c = 1..3 {
    (if(k == 1, 0, p[k-1,c]'') + 4*p[k,c]'' + if(k == 4, 0, p[k+1,c]''))/6 = -if(c == 2, g, 0) -
        n[k]*r[k,c] - alpha[k]*U[k-1,c] - beta[k]*U[k,c] +
        n[k+1]*r[k+1,c] + alpha[k+1]*U[k,c] + beta[k+1]*U[k+1,c]
    J*u[k,c]'' = -beta[k]*r[k,c] - gamma[k]*U[k-1,c] - alpha[k+1]*r[k+1,c] -
        if(k == 4, 0, gamma[k+1]*U[k+1,c]) - nu[k]*U[k,c]
}
for k = 1..5 {
    0 = (sum(c=1..3, r[k,c]^2) - 1)/2
    0 = sum(c=1..3, r[k,c]*U[k-1,c])
    0 = sum(c=1..3, r[k,c]*U[k,c])
}
for k = 1..4 {
    0 = sum(c=1..3, U[k-1,c]*U[k,c])
    0 = (sum(c=1..3, U[k,c]^2) - 1)/2
}

over t = 0 .. 2
output p[3,1], p[3,2], p[3,3]
