title "Lid-driven cavity"
param Re = 100, N = 64
domain x = 0..1 cells 4, y = 0..1 cells 4
vector u = (0, 0)
field p

u' + div(u*u) = lap(u)/Re - grad(p)
div(u) = 0

boundary u(top) = (1, 0)
over t = 0 .. 40
output umin = minimum(u[x], x = .5), vmax = maximum(u[y], y = .5), vmin = minimum(u[y], y = .5)
draw lines(u), curl(u)
solve steady = 1e-6
