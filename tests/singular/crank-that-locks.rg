title "A driven crank with a rod that is too short"
param w = 2, l = 0.8
var p1 = 0.3, p1' ~ w, p2 ~ -0.38, x ~ 1.7, m, n, k
p1'' = -k - sin(p1)*m - cos(p1)*n
p2'' = -l*sin(p2)*m - l*cos(p2)*n
x'' = -m
0 = x - cos(p1) - l*cos(p2)
0 = sin(p1) + l*sin(p2)
0 = p1 - 0.3 - w*t
over t = 0 .. 3
output p1, p2, x
