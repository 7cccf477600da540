title "Index 4, B and C vanish at t = 1/2"
var a = 0, a' = 1, a'' = 0, b = 0, b' = 0, b'' = 0, y
a''' = -cos(t) + (t - 1/2)*(exp(t) - y)
b''' = 1 + y - exp(t) + (b - t^3/6)
0 = (t - 1/2)*(a - sin(t))
over t = 0 .. 1
exact a = sin(t), b = t^3/6
