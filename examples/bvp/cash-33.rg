# Source: test set of Cash and Mazzia for boundary value problems, problem 33.
# Swirling flow between discs.  Reference: f(0.25) = 0.02093818, f''(0) = 2.982759, g'(0) = 3.574851
title "Cash/Mazzia problem 33"
param eps = 0.01
var f ~ 0, g ~ 2*x - 1

eps*f'''' + f*f''' + g*g' = 0
eps*g'' + f*g' - f'*g = 0

over x = 0 .. 1
boundary f(0) = 0
boundary f'(0) = 0
boundary f(1) = 0
boundary f'(1) = 0
boundary g(0) = -1
boundary g(1) = 1
