param N = 4
domain x = 0..2 cells N stretch x^2/2, y = 0..1 cells 3
vector u
field p, c = 0, d ~ x
(1 + c)/(1, 2)*u = -grad(p) + (0, -1)
div(u) = if(x < 1, .1, 0)
2*c' + div(u*c) = div(dispersion(u, 1e-3, .01, .001)*grad(c)) - c
0 = div((1 + y)*grad(d)) + c - d
well A at (0, 0) rate 1 + sin(t) with c = t
well B at (2, 1) pressure 1 radius 1e-3
boundary flux(c, top) = .1, d(left) = 1, p(right) = y
over t = 0 .. .02
output a = c(A), b = rate(B), e = pressure(B), f = integral(c, right), g = d(.5, .5), h = mean(c, x = .3)
draw c, lines(u)
