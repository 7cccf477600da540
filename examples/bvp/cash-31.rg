# Source: test set of Cash and Mazzia for boundary value problems, problem 31.
# The tension T is an algebraic unknown: index 1.
# Reference: y(0.5) = 0.1012458, th(0) = 0.3556191, Q(0) = 0.8958989
title "Cash/Mazzia problem 31"
param eps = 0.1
var y ~ 0, th ~ 0, M ~ 0, Q ~ 0, T ~ 1

y' = sin(th)
th' = M
eps*M' = -Q
eps*Q' = (y - 1)*cos(th) - M*T
T = 1/cos(th) + eps*Q*tan(th)

over x = 0 .. 1
boundary y(0) = 0
boundary y(1) = 0
boundary M(0) = 0
boundary M(1) = 0
