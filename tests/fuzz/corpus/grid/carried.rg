domain x = 0..1 cells 8, y = 0..1 cells 8
vector u
field p, c = 0
u = -(1 + .5*sin(t))*grad(p)
div(u) = 0
c' + div(u*c) = div(dispersion(u, .1, .2, .02)*grad(c)) + .5*lap(c)
well A at (.1, .1) rate .2*(1 + cos(5*t)) with c = 1
well B at (.9, .9) pressure 0 radius 1e-3
over t = 0 .. 1
solve steady = 1e-3, transport = upwind
