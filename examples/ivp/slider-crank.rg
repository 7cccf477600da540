# Two bars of length 2 and mass 1: one turns about the origin, the end of the other slides on the x axis.
# (x1, y1), (x2, y2) are the centres, phi1 and phi2 the angles; five position constraints on six coordinates.
# Source: P. Lin, thesis, Example 2.1; Ascher, Lin (1995), section 5.
# The start values have nine digits, as published data often has: they miss the constraints by some 1e-10, and
# are repaired by the least change, with a warning.
# Look at: at t = 1.07414406035669 both bars are upright and the last constraint loses its gradient; the run ends before.
# Reference at t = 1: phi1 = 4.789278911750799, phi1' = -1.035061766666092; energy -13.8734350468800624
title "Slider crank with equal bars (index 3)"
param g = 9.81
var x1 = 0.707106781, y1 = -0.707106781, phi1 = 5.497787144
var x2 = 2.121320344, y2 = -0.707106781, phi2 = 0.785398163
var x1' = 0, y1' = 0, phi1' = 0, x2' = 0, y2' = 0, phi2' = 0
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

over t = 0 .. 1
output phi1, phi1', x2, energy = (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2 + (phi1'^2 + phi2'^2)/6 + g*(y1 + y2)
draw line(0, 0, 2*x1, 2*y1, x2 + cos(phi2), y2 + sin(phi2)), point(x2 + cos(phi2), y2 + sin(phi2))
