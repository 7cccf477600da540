title "The constraint forces a pole"
var x1 = 1, x2, y
x1' = -y
x2' = 1
0 = (1 - 2*t)*x1 + x2 - 1
over t = 0 .. 1
