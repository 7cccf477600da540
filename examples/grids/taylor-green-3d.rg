title "Taylor-Green vortex in three dimensions"
param Re = 100, N = 64
domain x = 0..2*pi cells N periodic, y = 0..2*pi cells N periodic, z = 0..2*pi cells N periodic
vector u = (sin(x)*cos(y)*cos(z), -cos(x)*sin(y)*cos(z), 0)
field p
u' + div(u*u) = lap(u)/Re - grad(p)
div(u) = 0
over t = 0 .. 10
output energy = mean(dot(u, u))/2, enstrophy = mean(dot(curl(u), curl(u)))/2
