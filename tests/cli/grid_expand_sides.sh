# Outputs at sides, on planes and at points beside them: the same from the grid and from the expanded equations.
# tol: 1e-3
# floor: 1e-6
cat > flow.rg << 'END'
domain x = 0..1 cells 6, y = 0..1 cells 6
vector u = (0, 0)
field p, c = x
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = .2*lap(c)
boundary u(left) = (4*y*(1 - y), 0), p(right) = 0, c(left) = 1 + y, u(top) = (1, 0)
over t = 0 .. .1
output a = integral(u[x], right), b = mean(c, left), d = minimum(p, right), e = maximum(u[x]*c, left)
output f = integral(c*u[y], top), g = c(0, .5), h = u[x](.5, 1), i = mean(c, top), j = maximum(p, top)
output k = mean(p, x = 0), l = c(.95, .5), m = p(.02, .03), n = mean(c, x = .03), o = maximum(c, y = .98)
output q = mean(c^2, left), r = mean(u[y], right), s = u[y](1, .5), v = mean(c*x, x = .01), z = integral(u[x], x = 0)
END
cat > porous.rg << 'END'
domain x = 0..1 cells 6, y = 0..1 cells 5
vector u
field p, c = 0
(1 + x)*u = -grad(p)
div(u) = 0
c' + div(u*c) = .1*lap(c)
boundary p(left) = 1 + y, u[x](right) = .5, c(left) = 1
over t = 0 .. .1
output a = integral(u[x], left), b = mean(p, left), d = p(1, .5), e = p(.5, 0), f = mean(p, top), g = u[x](0, .5)
output h = u[y](.5, 1), i = maximum(u[y]), j = mean(c, right), k = c(.99, .99)
END
# A force with a scalar that is given on an open side.
cat > pushed.rg << 'END'
domain x = 0..1 cells 4, y = 0..1 cells 5
vector u = (0, 0)
field p, c = .2
(2 + c)*u' = .2*lap(u) - grad(p) + (0, 3*c)
div(u) = 0
c' = .1*lap(c)
boundary p(bottom) = 0, c(bottom) = 1 + x
over t = 0 .. .2
output a = p(.5, .5), b = maximum(p), d = u[y](.2, 0), e = maximum(u[x])
END
for model in flow porous pushed; do
    "$REGULA" solve $model.rg --no-estimate --tol 1e-6 --transport central --json | grep -oE '"values": [^}]*}' | tr , '\n' > grid
    "$REGULA" solve $model.rg --no-estimate --method radau --tol 1e-7 --transport central --json | grep -oE '"values": [^}]*}' | tr , '\n' > expanded
    cat grid
    paste grid expanded | awk '{ d = $(NF / 2) - $NF; if (d < 0) d = -d; if (d > 1e-3) print "differs:", $0 }' | tr -d '{}'
done
