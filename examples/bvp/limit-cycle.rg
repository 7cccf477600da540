# A periodic orbit: the period T is an unknown constant, and a phase condition fixes where the orbit starts.
# Reference: T = 6.6632868593
title "Van der Pol's limit cycle"
param mu = 1, T ~ 6.5
var x ~ 2*cos(2*pi*s), y ~ -2*sin(2*pi*s)
x' = T*y
y' = T*(mu*(1 - x^2)*y - x)
over s = 0 .. 1
boundary x(0) = x(1)
boundary y(0) = y(1)
boundary y(0) = 0
