# Two bars of length 2 and mass 1: one turns about the origin, the end of the other slides on the x axis (see ivp/slider-crank).
# Look at: both bars upright is a singular position, where the last constraint loses its gradient; the motion swings
# through it at t = 1.07414406035669 and every 2.14828812071338 from there on.
# Source: P. Lin, thesis, Example 2.1; Ascher, Lin (1995), section 5.
# Reference at t = 20: phi1 = 4.3013322089333490, phi1' = 0.93590993936961477; energy -13.8734350468800624.
title "Slider crank that swings through its singular positions (index 3)"
param g = 9.81
var x1 = cos(7*pi/4), y1 = sin(7*pi/4), phi1 = 7*pi/4
var x2 = 3*cos(7*pi/4), y2 = sin(7*pi/4), phi2 = pi/4
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

over t = 0 .. 20
output phi1, phi1', x2, energy = (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2 + (phi1'^2 + phi2'^2)/6 + g*(y1 + y2)
