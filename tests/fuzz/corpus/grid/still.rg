domain x = 0..1 cells 6, y = 0..1 cells 6, z = 0..1 cells 4
field s ~ 1
0 = div((1 + s^2)*grad(s)) - s^3 + x
boundary s(left) = 1, flux(s, top) = s
output a = mean(s), b = s(.5, .5, .5)
