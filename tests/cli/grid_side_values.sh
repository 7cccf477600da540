# Expressions on sides, and on planes between the outermost values and a side: what their fields have there, by the
# kernels of grids and by Radau IIA on the expanded equations. They were those of the cells inside, and of non-linear
# expressions of components the mean of those inside and beyond the side.
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
       e = minimum(u[y] + x, x = .01), f = mean(u[x]^2, top), g = maximum(exp(u[x]), top)
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
cat > known.rg << 'END'
param N = 8
domain x = 0..1 cells N, y = 0..1 cells N
vector u = (1 + y^2, 0)
field p, c = 1 + y^2
u' = lap(u) - grad(p) - (2, 0)
div(u) = 0
c' = lap(c) - 2
boundary u(top) = (2, 0), u(bottom) = (1, 0), u(left) = (1 + y^2, 0), u(right) = (1 + y^2, 0)
boundary c(bottom) = 1, flux(c, top) = -2
over t = 0 .. 1e-7
output a = mean(u[x]^2, top), b = mean(u[x]*c, top), d = maximum(c*exp(u[x] - 2), top), e = mean(curl(u), top),
       f = mean(curl(u)^2*u[x], top), g = mean(u[x]^2*c, y = .99), h = minimum(curl(u)), i = mean(u[x]^2*y*x, left)
END
for model in flow mixed; do
    "$REGULA" solve $model.rg --json --no-estimate --transport central --step 1e-3 | grep -oE '"values": [^}]*'
    "$REGULA" solve $model.rg --json --no-estimate --transport central --method radau --tol 1e-8 | grep -oE '"values": [^}]*'
done
"$REGULA" solve still.rg --json --no-estimate | grep -oE '"values": [^}]*'
echo "of 8 and of 16 cells: 4, 4, 2, -2, 8, 7.7635, -2, 0"
for n in 8 16; do
    "$REGULA" solve known.rg --json --no-estimate --step 1e-7 --set N=$n | grep -oE '"values": [^}]*'
done
echo "beside a solid whose walls move with the flow: 3.125, 3.375, 3.375, 3.1, 1.5625"
cat > block.rg << 'END'
param N = 16
domain x = 0..1 cells N, y = 0..1 cells N
solid b = x > .25 and x < .5 and y > .25 and y < .625
vector u = (1 + y, 2 + x)
field p
u' = .1*lap(u) - grad(p)
div(u) = 0
boundary u(left) = (1 + y, 2 + x), u(right) = (1 + y, 2 + x), u(top) = (1 + y, 2 + x), u(bottom) = (1 + y, 2 + x)
boundary u(b) = (1 + y, 2 + x)
over t = 0 .. 1e-7
output a = mean(u[x]*u[y], y = .25), d = mean(u[x]*u[y], x = .25), e = mean(1.5*u[y], x = .25),
       f = mean(u[x]*u[y], y = .24), g = mean(u[x]^2, y = .25)
END
"$REGULA" solve block.rg --json --no-estimate --step 1e-7 | grep -oE '"values": [^}]*'
