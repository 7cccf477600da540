title "Slider crank started with the energy of its top position, times 1 + e"
param g = 9.81, e = 0, w0 = sqrt(19.62*(1 + e)*(1 - sin(pi/4))/(4/3 + 4*sin(pi/4)^2))
var x1 = cos(pi/4), y1 = sin(pi/4), phi1 = pi/4
var x2 = 3*cos(pi/4), y2 = sin(pi/4), phi2 = 2*pi - pi/4
var x1' ~ 0, y1' ~ 0, phi1' = w0, x2' ~ 0, y2' ~ 0, phi2' = -w0
var l1, l2, l3, l4, l5
x1'' = -l1 + 2*l3
y1'' = -g - l2 + 2*l4
phi1''/3 = -sin(phi1)*l1 + cos(phi1)*l2 - 2*cos(phi1)*l5
x2'' = -l3
y2'' = -g - l4
phi2''/3 = -sin(phi2)*l3 + cos(phi2)*l4 - 2*cos(phi2)*l5
0 = x1 - cos(phi1)
0 = y1 - sin(phi1)
0 = x2 - 2*x1 - cos(phi2)
0 = y2 - 2*y1 - sin(phi2)
0 = 2*sin(phi1) + 2*sin(phi2)
over t = 0 .. 20
output phi1
