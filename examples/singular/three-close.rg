# Three points of lost rank close together: at loose tolerances within one step.
# Look at: all three are reported.
title "Constraint and force vanish at t = 0.5, 0.55 and 0.6"
var x1 = 1, x2 = 0, y
let w = 400*(t - 0.5)*(t - 0.55)*(t - 0.6)
x1' = -x2 - w*(y - cos(t)) + (x1 - cos(t))
x2' = x1 + w*(y - cos(t))
0 = w*(x2 - x1 + cos(t) - sin(t))

over t = 0 .. 1
exact x1 = cos(t)
exact x2 = sin(t)
