# A pendulum in Cartesian coordinates (index 3) that is to be at given places at two times: which push does it need?
# Both end points lie at height q = -sqrt(3)/2; the guess tells that it hangs below its support.
title "Pendulum between two places (index 3)"
param g = 9.81
var p ~ 0.5 - t, q ~ -1, u ~ -1, v ~ 0
var lambda ~ 10

p' = u
q' = v
u' = -p*lambda
v' = -q*lambda - g
0 = p^2 + q^2 - 1

over t = 0 .. 1
boundary p(start) = 0.5
boundary p(end) = -0.5
