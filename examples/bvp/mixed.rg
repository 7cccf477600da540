# A nonlinear boundary value problem of index 1 with a mixed condition at the left end.
# Source: COLDAE's example in the repository mrpnk/COLDAEpp.
# Reference: u(0) = -1.217837018, u'(0) = 1.067837018, y(0) = 1.300451451, u'(5) = 0.902237539
title "Index 1 with a mixed boundary condition"
var u ~ 1.3*x, y

u'' = y + u'
0 = y + u*u' - x

over x = 0 .. 5
boundary u(start) + u'(start) + 0.15 = 0
boundary u(end) = 6.5
