title "Warm and cold wall (de Vahl Davis)"
param Ra = 1e4, Pr = .71, N = 48
domain x = 0..1 cells 4, y = 0..1 cells 4
vector u = (0, 0)
field p, T = .5 - x

u' + div(u*u) = Pr*lap(u) - grad(p) + (0, Pr*Ra*T)
div(u) = 0
T' + div(u*T) = lap(T)

boundary T(left) = .5, T(right) = -.5
over t = 0 .. .4
output Nu = 1 + integral(u[x]*T), umax = maximum(u[x], x = .5), vmax = maximum(u[y], y = .5)
