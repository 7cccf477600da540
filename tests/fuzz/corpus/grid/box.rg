domain x = 0..1 cells 3 periodic, y = 0..1 cells 3, z = 0..1 cells 3
solid ball = (x - .5)^2 + (y - .5)^2 + (z - .5)^2 < .03
vector u = curl((0, 0, sin(pi*y)^2))
field p, T = z
(1 + .1*T)*u' + .5*div(u*u) = div((.1 + .1*T)*grad(u)) - grad(p) + (0, 0, T) - .1*u
div(u) = 0
T' + dot(u, grad(T)) = .1*lap(T) + norm(u)
boundary u(ball) = (0, y - y, sin(t)*0), u(front) = slip, T(back) = 1, T(ball) = 0
over t = 0 .. .01
output F = force(ball, z), e = mean(dot(curl(u), curl(u))), m = minimum(u[z], front)
solve scheme = cn, convection = tvd
