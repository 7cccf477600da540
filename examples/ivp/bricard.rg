# Bricard's mechanism (IFToMM A04): five rods of 1 m and 1 kg and the ground form a closed loop with six hinges; every
# axis is perpendicular to both its rods and to its neighbours.  By counting it should not move; it does.
# Source: Gonzalez et al., Multibody System Dynamics 16 (2006) 179-190; Arponen, Piipponen, Tuomela, report A537 (2007).
# Natural coordinates: hinge points P[1..4] and hinge axes U[1..4] are unknown, P[0], P[5], U[0], U[5] belong to the
# ground.  The mass matrix is constant: rods with a square section of 0.1 m.
# 24 constraints on 24 coordinates have rank 23 in every position: one is redundant, one motion is left.
# Look at: `regula check` finds index 3, 2 degrees of freedom and the redundant constraint.
# The forces that the redundant constraint leaves open are held constant; bricard-reduced.rg is without it.
# Reference: energy -29.43; P[3] at t = 1: 0.510501461, -1.649167599, 0.140123115;
#   at t = 2: -0.969340345, -1.221246895, 0.754278011
title "Bricard's mechanism (IFToMM A04)"
param g = 9.81, J = 0.02/12
var p[k=1..4, c=1..3] = if(c == 1, if(k <= 3, 1, 0), if(c == 2, if(k == 1, 0, -1), if(k <= 2, 0, 1)))
var p[k=1..4, c=1..3]' = 0
var u[k=1..4, c=1..3] = if(c == mod(k + 1, 3) + 1, 1, 0)       # z, x, y, z
var u[k=1..4, c=1..3]' = 0
var n[k=1..5], alpha[k=1..5], beta[k=1..5], gamma[k=1..5], nu[k=1..4]

# all points, axes and rods, with those of the ground
let P[k=0..5, c=1..3] = if(k == 0, 0, if(k == 5, if(c == 3, 1, 0), p[k,c]))
let U[k=0..5, c=1..3] = if(k == 0, if(c == 2, 1, 0), if(k == 5, if(c == 1, 1, 0), u[k,c]))
let r[k=1..5, c=1..3] = P[k,c] - P[k-1,c]

for k = 1..4, c = 1..3 {
    (if(k == 1, 0, p[k-1,c]'') + 4*p[k,c]'' + if(k == 4, 0, p[k+1,c]''))/6 = -if(c == 2, g, 0) -
        n[k]*r[k,c] - alpha[k]*U[k-1,c] - beta[k]*U[k,c] +
        n[k+1]*r[k+1,c] + alpha[k+1]*U[k,c] + beta[k+1]*U[k+1,c]
    J*u[k,c]'' = -beta[k]*r[k,c] - gamma[k]*U[k-1,c] - alpha[k+1]*r[k+1,c] - gamma[k+1]*U[k+1,c] - nu[k]*U[k,c]
}
for k = 1..5 {
    0 = (sum(c=1..3, r[k,c]^2) - 1)/2
    0 = sum(c=1..3, r[k,c]*U[k-1,c])
    0 = sum(c=1..3, r[k,c]*U[k,c])
    0 = sum(c=1..3, U[k-1,c]*U[k,c])
}
for k = 1..4 {
    0 = (sum(c=1..3, U[k,c]^2) - 1)/2
}

over t = 0 .. 2
output p[3,1], p[3,2], p[3,3]
draw line3(0, 0, 0, p[1,1], p[1,3], p[1,2], p[2,1], p[2,3], p[2,2], p[3,1], p[3,3], p[3,2],
           p[4,1], p[4,3], p[4,2], 0, 1, 0, 0, 0, 0)     # y is up
