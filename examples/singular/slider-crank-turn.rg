# Two bars of length 2 and mass 1: one turns about the origin, the end of the other slides on the x axis (see ivp/slider-crank).
# Look at: both bars upright is a singular position, where the last constraint loses its gradient; the crank turns through
# two of them in each revolution of 1.8608816389477, 22 in all.
# Source: P. Lin, thesis, Example 2.1; Ascher, Lin (1995), section 5.
# Reference at t = 20: phi1 = 67.910073820595086, phi1' = 3.4940357540032333; energy 40.5401017135467291.
title "Slider crank that turns through its singular positions (index 3)"
param g = 9.81
var x1 = cos(pi/4), y1 = sin(pi/4), phi1 = pi/4
var x2 = 3*cos(pi/4), y2 = sin(pi/4), phi2 = 2*pi - pi/4
var phi1' = 2*sqrt(2)
var l1, l2, l3, l4, l5

x1'' = -l1 + 2*l3
y1'' = -g - l2 + 2*l4
phi1''/3 = -sin(phi1)*l1 + cos(phi1)*l2 - 2*cos(phi1)*l5
x2'' = -l3
y2'' = -g - l4
phi2''/3 = -sin(phi2)*l3 + cos(phi2)*l4 - 2*cos(phi2)*l5
0 = x1 - cos(phi1)
0 = y1 - sin(phi1)
0 = x2 - 2*x1 - cos(phi2)
0 = y2 - 2*y1 - sin(phi2)
0 = 2*sin(phi1) + 2*sin(phi2)

over t = 0 .. 20
output phi1, phi1', x2, energy = (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2 + (phi1'^2 + phi2'^2)/6 + g*(y1 + y2)
