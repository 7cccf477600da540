title "Constraint and force vanish at every multiple of pi; x2 is determined by the constraint alone"
var x1 = exp(-0.5), x2 = sin(0.5), y
x1' = -x1 + x2 - sin(t)
x2' = -x2 + exp(-t) - sin(t)*y
0 = sin(t)*(x1 + x2 - exp(-t) - sin(t))
over t = 0.5 .. 100
exact x1 = exp(-t), x2 = sin(t)
output x1, x2
