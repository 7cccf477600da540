# Two capacitors of 1 and 3 nF in a loop that an ideal transformer closes; its ratio s goes through 0 at t = 1 s, where the loop is open for a moment.
# The voltages stay equal, because they are on both sides of that moment; the current i of the loop has a pole there.
# Look at: values of 1e-9 beside 1 do not disturb the analysis or the watch.
title "A loop of capacitors that opens for a moment (index 2)"
param C1 = 1e-9, C2 = 3e-9
var v1 = 1, v2 = 1, i
let s = 1 - t
C1*v1' = 1e-9*cos(t) - s*i
C2*v2' = 2e-9*sin(t) + s*i
0 = s*(v1 - v2)
over t = 0 .. 2
exact v1 = 1 + (sin(t) + 2*(1 - cos(t)))/4, v2 = 1 + (sin(t) + 2*(1 - cos(t)))/4
output v1, v2
