# Expressions on sides, and on planes between the outermost values and a side: what their fields have there, by the
# kernels of grids and by Radau IIA on the expanded equations. They were those of the cells inside.
# tol: 1e-5
# floor: 1e-9
cat > flow.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 8
vector u = (0, 0)
field p
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
boundary u(top) = (1, 0)
over t = 0 .. .1
output a = mean(u[x], top), b = mean(2*u[x], top), c = maximum(abs(u[x]), top), d = integral(y*u[x]^2, y = .97),
       e = minimum(u[y] + x, x = .01)
END
cat > mixed.rg << 'END'
domain x = 0..1 cells 6, y = 0..2 cells 5
vector u = (0, 0)
field p, c = x*y, b = x + y
u' + div(u*u) = .1*lap(u) - grad(p) + (c, 0)
div(u) = 0
c' + div(u*c) = .1*lap(c) - .1*b
b' = .1*lap(b)
boundary u(top) = (1, 0), c(left) = 1 + y, flux(c, right) = .3, b(top) = x
over t = 0 .. .1
output a = mean(2*c, left), d = mean(c^2, right), e = mean(c*b, y = 1.95), f = maximum(x*b, top),
       g = integral(p*c, bottom), h = mean(c + curl(u), left), i = mean(u[x]*u[y] + c, top), j = integral(u[y]*c, top),
       k = minimum(norm(u) + 0*c, x = .97), l = mean(2*u[x], y = 1.97), m = mean(log(x*c), left)
END
cat > still.rg << 'END'
domain x = 0..1 cells 10, y = 0..1 cells 10
field c
0 = lap(c)
boundary c(left) = 0, c(right) = 1
output a = mean(c, right), b = mean(2*c, right), d = mean(c^2, right), e = mean(c, x = .97), f = mean(2*c, x = .97)
END
for model in flow mixed; do
    "$REGULA" solve $model.rg --json --no-estimate --transport central --step 1e-3 | grep -oE '"values": [^}]*'
    "$REGULA" solve $model.rg --json --no-estimate --transport central --method radau --tol 1e-8 | grep -oE '"values": [^}]*'
done
"$REGULA" solve still.rg --json --no-estimate | grep -oE '"values": [^}]*'
