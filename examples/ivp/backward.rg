# The start is at t = 1, and time runs backwards: over t = 1 .. 0.
# Look at: start values belong to the first number after `over`, whichever direction.
title "Integration backwards in time"
var x = exp(-1.5)
var z

x' = -z
z = (1 + t)*x

over t = 1 .. 0
exact x = exp(-t - t^2/2)
exact z = (1 + t)*exp(-t - t^2/2)
