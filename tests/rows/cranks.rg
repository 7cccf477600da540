# Three parallel cranks carry a platform: two would do.  Constraints of velocities (index 2).
title "Platform on three parallel cranks, index 2"
var x = 1, y = 0, a = 0, u = 0, v = 0, w = 0, l1 ~ 0, l2 ~ 0, l3 ~ 0
x' = u
y' = v
a' = w
u' = -x*(l1 + l2 + l3)
v' = -y*(l1 + l2 + l3) - 9.81
w' = l1 - l3
0 = x*u + y*v + w
0 = x*u + y*v
0 = x*u + y*v - w
over t = 0 .. 3
