title "Curved wires that cross on a hill between two wells; energy of the crossing, times 1 + e"
fun a(u) = 0.4*sin(1.3*u) + 0.2*u^2
param e = 0, b = 0.52*cos(1.3) + 0.4
var q1 = 1, q1' = -sqrt((1 + e)/2/(1 + b^2)), q2 ~ 0.4*sin(1.3) + 0.2, q2' ~ -0.5, lambda
q1'' = q1 - q1^3 - lambda*(q2 - a(q1) - (0.52*cos(1.3*q1) + 0.4*q1)*(q1 - q2/2 + 0.3*q2^2))
q2'' = -lambda*((q1 - q2/2 + 0.3*q2^2) + (q2 - a(q1))*(-1/2 + 0.6*q2))
0 = (q2 - a(q1))*(q1 - q2/2 + 0.3*q2^2)
over t = 0 .. 20
output q1, q2
