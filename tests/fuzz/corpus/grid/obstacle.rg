title "Cylinder in a channel"
param D = .1, nu = 1e-3, H = .41
domain x = 0..2.2 cells 4, y = 0..H cells 4
solid cylinder = (x - .2)^2 + (y - .2)^2 < (D/2)^2
vector u ~ (1, 0)
field p, c = 0

u' + div(u*u) = nu*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = 1e-4*lap(c)              # dye

boundary u(left) = (4*1.5*y*(H - y)/H^2, 0)
boundary c(left) = if(abs(y - H/2) < .02, 1, 0)
boundary p(right) = 0
over t = 0 .. 8
output drag = force(cylinder, x), lift = force(cylinder, y), drop = p(.15, .2) - p(.25, .2)
draw c, curl(u)
