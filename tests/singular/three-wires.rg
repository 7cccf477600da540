title "Three wires through one point: the bead arrives at rest for v = 1"
param v = 1
var x = 1, x' = -v, y = 0, y' = 0, lambda
x'' = 0.5 - lambda*(2*x*y - y^2)
y'' = -lambda*(x^2 - 2*x*y)
0 = x*y*(x - y)
over t = 0 .. 4
output x, y
