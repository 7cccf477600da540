# A chain of n rods of length 1 and mass 1, both ends pinned at the same height: n rods and the ground close a loop.  It starts as
# a zigzag, at rest, and falls; s[i] is the force in rod i.  (x[i], y[i]) is the joint between rods i and i + 1.
# Source: P. Lin, thesis, section 7.2 (kinematic chains with closed loops).
# Look at: --set n=100000 costs 1000 times as much per step as n = 100, in time and in memory: with E = I neither G M^-1 G^T nor its
# inverse is made, and the mass matrix, although not diagonal, is factored once.  Far from the ends the rods fall freely, so the
# first joints move in the same way for every n.
# Reference at t = 0.5: joint 1 at (0.0275142517730, -0.9996214113100), joint 2 at (0.9634467590768, -1.3518008283294).
title "Closed chain of n rods (index 3)"
param n = 100, g = 9.81, a = pi/3
var x[i=1..n-1] = i*cos(a), y[i=1..n-1] = -mod(i, 2)*sin(a)
var x[i=1..n-1]' = 0, y[i=1..n-1]' = 0
var s[i=1..n]
let X[i=0..n] = if(i == 0, 0, if(i == n, n*cos(a), x[i]))
let Y[i=0..n] = if(i == 0 or i == n, 0, y[i])

for i = 1..n-1 {
    2*x[i]''/3 + if(i > 1, x[i-1]''/6, 0) + if(i < n-1, x[i+1]''/6, 0) = s[i+1]*(X[i+1] - X[i]) - s[i]*(X[i] - X[i-1])
    2*y[i]''/3 + if(i > 1, y[i-1]''/6, 0) + if(i < n-1, y[i+1]''/6, 0) = s[i+1]*(Y[i+1] - Y[i]) - s[i]*(Y[i] - Y[i-1]) - g
}
for i = 1..n { 0 = (X[i] - X[i-1])^2/2 + (Y[i] - Y[i-1])^2/2 - 1/2 }

over t = 0 .. 0.5
solve method = srm, variant = multibody, step = 1e-3
output x[1], y[1], x[2], y[2]
