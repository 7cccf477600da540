title "Miscible displacement, quarter of a five-spot"
param M = 1, N = 40
domain x = 0..1 cells 4, y = 0..1 cells 4
field p, c = 0
vector u
fun mu(s) = ((1 - s) + M^(1/4)*s)^(-4)

mu(c)*u = -grad(p)
div(u) = 0
c' + div(u*c) = div(dispersion(u, 0, .01, .001)*grad(c))

well injector at (0, 0) rate 1 with c = 1
well producer at (1, 1) rate -1
over t = 0 .. 1
output produced = c(producer), recovered = integral(c), drop = p(injector) - p(producer)
draw c
