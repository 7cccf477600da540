title "Two wires that cross, with friction by the normal force; x = 1 - 2t + t^2/20"
var x = 1, y = 0, x' = -2, y' = 0, lambda
x'' = 0.2*abs(lambda*x) - lambda*y
y'' = 0.5 - lambda*x
0 = x*y
over t = 0 .. 3
output x, y
