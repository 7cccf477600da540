# Source: test set of Cash and Mazzia for boundary value problems, problem 24.
# Shock wave in a duct.  Reference: y(0.5) = 0.9677706, y'(0) = 0.7717175
title "Cash/Mazzia problem 24"
param eps = 0.05, k = 1.4
let A = 1 + x^2
let dA = 2*x
var y ~ 0.9129 + (0.375 - 0.9129)*x

eps*A*y*y'' - ((1 + k)/2 - eps*dA)*y*y' + y'/y + dA/A*(1 - (k - 1)*y^2/2) = 0

over x = 0 .. 1
boundary y(start) = 0.9129
boundary y(end) = 0.375
