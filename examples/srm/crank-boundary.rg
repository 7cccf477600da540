# The slider crank with equal bars of slider-crank-singular.rg: which push does it need to be at the angle phi1 = 4.285394513
# after 1.5 seconds?  On the way, near t = 1.074, both bars are upright and the last constraint loses its gradient.
# Source of the mechanism: P. Lin, thesis, Example 2.1; Ascher, Lin (1995), section 5.
# Look at: the angle is that of the free motion from rest, so the push is phi1' = 0 at the start.
title "Slider crank between two positions (index 3), through a singular one"
param g = 9.81
var x1 ~ cos(5.5 - 0.8*t), y1 ~ sin(5.5 - 0.8*t), phi1 ~ 5.5 - 0.8*t
var x2 ~ 3*cos(5.5 - 0.8*t), y2 ~ sin(5.5 - 0.8*t), phi2 ~ 2*pi - 5.5 + 0.8*t
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

over t = 0 .. 1.5
boundary phi1(start) = 7*pi/4
boundary phi1(end) = 4.285394513
solve method = srm
output phi1, phi1', x2
