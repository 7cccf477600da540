title "Taylor-Green vortex"
param nu = .05, N = 64
domain x = 0..2*pi cells N periodic, y = 0..2*pi cells N periodic
vector u = curl(sin(x)*sin(y))
field p
u' + div(u*u) = nu*lap(u) - grad(p)
div(u) = 0
over t = 0 .. 1
exact u = (sin(x)*cos(y)*exp(-2*nu*t), -cos(x)*sin(y)*exp(-2*nu*t))
output energy = integral(dot(u, u))/2
