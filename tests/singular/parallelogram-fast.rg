title "A parallelogram that turns fast: 19 places in 2 s"
param a = 1, d = 2, g = 9.81, w = 30
var x1 ~ cos(1), x1' ~ -w*sin(1), y1 ~ sin(1), y1' ~ w*cos(1)
var x2 ~ 2 + cos(1), x2' ~ -w*sin(1), y2 ~ sin(1), y2' ~ w*cos(1), al, be, ga
x1'' = -x1*al + (x2 - x1)*ga
y1'' = -g - y1*al + (y2 - y1)*ga
x2'' = -(x2 - d)*be - (x2 - x1)*ga
y2'' = -g - y2*be - (y2 - y1)*ga
x1^2 + y1^2 = a^2
(x2 - d)^2 + y2^2 = a^2
(x2 - x1)^2 + (y2 - y1)^2 = d^2
over t = 0 .. 2
output x1, y1
