title "A layer with channels, water pushes a tracer; sizes of one layer of the tenth SPE problem"
param M = 5
domain x = 0..1200 cells 60, y = 0..2200 cells 220
data K = "layer-permeability.csv", phi = "layer-porosity.csv"
field p, c = 0
vector u
fun mu(s) = ((1 - s) + M^(1/4)*s)^(-4)

mu(c)/K*u = -grad(p)
div(u) = 0
phi*c' + div(u*c) = 0

well middle at (600, 1100) rate 5000 with c = 1
well corner1 at (0, 0) pressure 0 radius .5
well corner2 at (1200, 0) pressure 0 radius .5
well corner3 at (0, 2200) pressure 0 radius .5
well corner4 at (1200, 2200) pressure 0 radius .5
over t = 0 .. 100
output c1 = c(corner1), c2 = c(corner2), c3 = c(corner3), c4 = c(corner4), q1 = rate(corner1),
       swept = integral(phi*c)/integral(phi)
draw c, log10(K)
