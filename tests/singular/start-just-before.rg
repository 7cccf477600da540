title "Constraint and force vanish by time, just behind the start"
var x1 = exp(-0.49999999), x2 = sin(0.49999999), y
x1' = -x1 + x2 - sin(t)
x2' = -x2 + exp(-t) - (1 - 2*t)*y
0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))
over t = 0.49999999 .. 1
output x1, x2
