# examples/singular/both-vanish.rg with a switch at t = .75, within the step after which the rank is safe again: the run goes on
# from the switch, not from the end of that step.
title "A switch behind a singular position"
var x1 = 1, x2 = 0, y, z = 0
let b = 1 - 2*t
x1' = -x1 + x2 - sin(t)
x2' = -x2 + exp(-t) - b*y
0 = b*(x1 + x2 - exp(-t) - sin(t))
z' = 1000*max(0, t - 0.75)
over t = 0 .. 3
exact x1 = exp(-t), x2 = sin(t)
output x1, x2, z
