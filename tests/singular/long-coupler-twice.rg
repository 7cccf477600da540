title "Four-bar with a coupler that is too long by e, and modelled twice"
param e = 1e-6, g = 9.81
var x0 ~ 0, y0 = 1, x0' = 1, y0' ~ 0
var x1 ~ 1, y1 ~ 1, x1' ~ 1, y1' ~ 0, a0, a1, b, c
2*x0''/3 + x1''/6 = -x0*a0 + (x1 - x0)*(b + 2*c)
2*y0''/3 + y1''/6 = -y0*a0 + (y1 - y0)*(b + 2*c) - g
x0''/6 + 2*x1''/3 = -(x1 - 1)*a1 - (x1 - x0)*(b + 2*c)
y0''/6 + 2*y1''/3 = -y1*a1 - (y1 - y0)*(b + 2*c) - g
0 = (x0^2 + y0^2 - 1)/2
0 = ((x1 - 1)^2 + y1^2 - 1)/2
0 = ((x1 - x0)^2 + (y1 - y0)^2 - (1 + e)^2)/2
0 = (x1 - x0)^2 + (y1 - y0)^2 - (1 + e)^2
over t = 0 .. 1.1
output x0, y0, x1, y1
