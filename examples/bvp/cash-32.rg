# Source: test set of Cash and Mazzia for boundary value problems, problem 32.
# Reference: y(0.5) = 0.6758098, y''(0) = 26.23718, y''(1) = -2.759870
title "Cash/Mazzia problem 32"
param eps = 0.01
var y ~ 0

y'''' = (y'*y'' - y*y''')/eps

over x = 0 .. 1
boundary y(0) = 0
boundary y'(0) = 0
boundary y(1) = 1
boundary y'(1) = 0
