domain x = 0..1 cells 8, y = 0..1 cells 6 stretch y + .1*sin(2*pi*y)
solid hole = (x - .5)^2 + (y - .5)^2 < .05
field a = if(x < .5, 1, 0), b = 1
a' = lap(a) - a*b
(1 + x)*b' + div((1, cos(t))*b) = div((1 + b^2)*grad(b)) + sin(9*t)
boundary flux(a, right) = 5*(a - .1), flux(b, left) = b^4 - 1, a(hole) = 1
over t = 0 .. 1
output low = minimum(a), high = maximum(b), out = integral(a, right)
