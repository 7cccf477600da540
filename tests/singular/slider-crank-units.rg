title "The swinging slider crank in units of 1/u m"
param u = 1000, g = 9.81*u, J = u^2/3
var x1 = u*cos(7*pi/4), y1 = u*sin(7*pi/4), phi1 = 7*pi/4
var x2 = 3*u*cos(7*pi/4), y2 = u*sin(7*pi/4), phi2 = pi/4
var x1' = 0, y1' = 0, phi1' = 0, x2' = 0, y2' = 0, phi2' = 0
var l1, l2, l3, l4, l5

x1'' = -l1 + 2*l3
y1'' = -g - l2 + 2*l4
J*phi1'' = -u*sin(phi1)*l1 + u*cos(phi1)*l2 - 2*u*cos(phi1)*l5
x2'' = -l3
y2'' = -g - l4
J*phi2'' = -u*sin(phi2)*l3 + u*cos(phi2)*l4 - 2*u*cos(phi2)*l5
0 = x1 - u*cos(phi1)
0 = y1 - u*sin(phi1)
0 = x2 - 2*x1 - u*cos(phi2)
0 = y2 - 2*y1 - u*sin(phi2)
0 = 2*u*sin(phi1) + 2*u*sin(phi2)

over t = 0 .. 20
output phi1, phi1'
