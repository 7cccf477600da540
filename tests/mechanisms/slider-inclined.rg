# Slider crank with equal rods on an inclined rail.
# Look at: crank across the rail: the slider stands on the fixed joint, and could stay there.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Slider crank with equal rods on an inclined rail (index 3)"
var x1 ~ 0.955336489125606, y1 ~ 0.2955202066613396, x2 ~ 1.7201786764100944, y2 ~ 0.9397378938990306
var x1' ~ -1.7731212399680374, y1' ~ 5.732018934753636, x2' ~ 2.092184883458109, y2' ~ 1.1429658110467056
var l1, l2, l3
x1'' = -l1*x1 - l2*(x1 - x2)
y1'' = -l1*y1 - l2*(y1 - y2) - 9.81
x2'' = -l2*(-x1 + x2) - l3*sin(1/2)
y2'' = -l2*(-y1 + y2) + l3*cos(1/2) - 9.81
0 = x1^2/2 + y1^2/2 - 1/2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 1/2
0 = x2*sin(1/2) - y2*cos(1/2)
over t = 0 .. 10
output x1, y1, x2, y2, x1', y1', x2', y2'
