# An unknown constant: the rate k is found from the measured slope at the start.
# Look at: `param k ~ 1` is a guess; k is one more unknown, with k' = 0.
title "Unknown rate of decay"
param k ~ 1
var x = 1, x' = -2

x' = -k*x

over t = 0 .. 2
exact x = exp(-2*t)
exact k = 2
