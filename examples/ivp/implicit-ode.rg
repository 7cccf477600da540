# An equation that is cubic in y', and cannot be solved for it in a useful way: it is used as it stands.
# Look at: y'(0) is a guess (~) for the Newton iteration; here the cubic has one real root only.
title "Implicit equation, nonlinear in the derivative"
var y = 0, y' ~ 0.5

y'^3 + y' + y = cos(t)^3 + cos(t) + sin(t)

over t = 0 .. 6
exact y = sin(t)
