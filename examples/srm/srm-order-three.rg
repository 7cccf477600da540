# Order three, index 4: a^2 + b^2 = 1 for a motion whose third derivative is given, up to a force along (a, b).
# Source: made up for P. Lin, thesis, (2.15) with nu = 3.
# Look at: srm corrects a, b and their first derivatives, and iterates on the second derivative of the constraint.
title "A problem of order three (index 4)"
var a = 0, b = 1, a' = 1, b' = 0, a'' = 0, b'' = -1
var y

a''' = -cos(t) + a - sin(t) - 2*a*(y - exp(-t))
b''' = sin(t) + b'^2 - sin(t)^2 - 2*b*(y - exp(-t))
0 = a^2 + b^2 - 1

over t = 0 .. 2
exact a = sin(t)
exact b = cos(t)
exact y = exp(-t)
solve method = srm
