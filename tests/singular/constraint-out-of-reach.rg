title "A constraint that cannot be met at t = 1/2"
var x1 = 1, x2, y
x1' = -x1 + x2
x2' = -x2 - (1 - 2*t)*y
0 = (1 - 2*t)*(x1 + x2) - 1
over t = 0 .. 1
