title "both-vanish.rg from its singular point on (index 2)"
var x1 = exp(-0.5), x2 = sin(0.5), y
let b = 1 - 2*t
x1' = -x1 + x2 - sin(t)
x2' = -x2 + exp(-t) - b*y
0 = b*(x1 + x2 - exp(-t) - sin(t))
over t = 0.5 .. 1
exact x1 = exp(-t), x2 = sin(t)
output x1, x2
