# Index 3, conditions at both ends; the force of the circle is l + l^3/4, not linear in the multiplier.
# Source: made up for P. Lin, thesis, section 7.2: x'' = f(x, x', y, t) with any dependence on y.
title "A multiplier that enters nonlinearly, conditions at both ends (index 3)"
var p ~ cos(t), q ~ sin(t)
var l ~ 1
let F = (1 - t^2/4)^2

p'' = -p*(l + l^3/4 - F^3/4) + 0.5*t*q
q'' = -q*(l + l^3/4 - F^3/4) - 0.5*t*p
0 = p^2 + q^2 - 1

over t = 0 .. 1
boundary q(start) = 0
boundary q(end) = sin(1 - 1/12)
exact p = cos(t - t^3/12)
exact q = sin(t - t^3/12)
exact l = (1 - t^2/4)^2
solve method = srm
