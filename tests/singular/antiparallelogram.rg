# Four bars a, d, a, d whose cranks turn against each other: curved branches.  Reference from the motion with one coordinate.
title "Antiparallelogram, unequal masses"
param a = 1, d = 2, g = 9.81, m1 = 3, m2 = 0.5
var x1 ~ cos(1), x1' ~ -2*sin(1), y1 ~ sin(1), y1' ~ 2*cos(1)
var x2 ~ 1.542590992828404, x2' ~ -1.8795110335000436, y2 ~ -0.8892564310469139, y2' ~ 0.9667686909941062, al, be, ga
m1*x1'' = -x1*al + (x2 - x1)*ga
m1*y1'' = -m1*g - y1*al + (y2 - y1)*ga
m2*x2'' = -(x2 - d)*be - (x2 - x1)*ga
m2*y2'' = -m2*g - y2*be - (y2 - y1)*ga
x1^2 + y1^2 = a^2
(x2 - d)^2 + y2^2 = a^2
(x2 - x1)^2 + (y2 - y1)^2 = d^2
over t = 0 .. 2
output x2, y2, x1, y1
