# Zeros at w (t + 0.01) = k pi, several in one step.
title "Constraint and force vanish again and again"
param w = 40
var x1 = 1, x2 = 0, y
x1' = -x1 + x2 - sin(t)
x2' = -x2 + exp(-t) - sin(w*(t + 0.01))*y
0 = sin(w*(t + 0.01))*(x1 + x2 - exp(-t) - sin(t))
over t = 0 .. 1.7
output x1, x2
