# Expressions on sides, and on planes between the outermost values and a side: what their fields have there, by the
# kernels of grids and by Radau IIA on the expanded equations. They were those of the cells inside, and of non-linear
# expressions of components the mean of those inside and beyond the side.
# tol: 1e-5
# floor: 1e-9
. "$(dirname "$0")/../support/lid.sh"
lid flow.rg 8 .1 .1 'a = mean(u[x], top), b = mean(2*u[x], top), c = maximum(abs(u[x]), top), d = integral(y*u[x]^2, y = .97),
       e = minimum(u[y] + x, x = .01), f = mean(u[x]^2, top), g = maximum(exp(u[x]), top)'
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

# Darcy flow has no condition for its components along sides: they go on along lines, to second order, on sides, on
# planes beside them, in corners and in expressions; the expanded equations say the same
cat > darcy.rg << 'END'
param N = 8
domain x = 0..1 cells N, y = 0..1 cells N
let E = exp(-y), S = sin(2*x), C = cos(2*x)
let P = S*E*(1 + x*y), Px = 2*C*E*(1 + x*y) + S*E*y, Py = -S*E*(1 + x*y) + S*E*x
let Pxx = -4*S*E*(1 + x*y) + 4*C*E*y, Pyy = S*E*(1 + x*y) - 2*S*E*x, r = 1 + x + 2*y
vector u
field p
r*u = -grad(p)
div(u) = -(Pxx + Pyy)/r + (Px + 2*Py)/r^2
boundary p(left) = P, p(top) = P, u[y](bottom) = -Py/r, u[x](right) = -Px/r
output a = u[x](.3, 0) + 2*cos(.6)/1.3, b = u[x](.3, 1) + (2*cos(.6)*1.3 + sin(.6))*exp(-1)/3.3,
       c = u[y](0, .4), d = u[y](1, .5) - sin(2)*exp(-.5)/6,
       e = u[x](.3, .001) + (2*cos(.6)*1.0003 + sin(.6)*.001)*exp(-.001)/1.302, f = mean(u[x], bottom),
       g = mean(norm(u)^2, top), h = mean(norm(u)^2, bottom), i = mean(u[x]*u[y], bottom), j = mean(x*u[y], right),
       k = mean(u[x]*p, bottom), l = u[x](1, 0) + cos(2), m = mean(u[x]*u[y], y = .001)
END
for n in 8 16 32 64 128; do
    "$REGULA" solve darcy.rg --set N=$n --json --no-estimate | grep -oE '"values": [^}]*}' | tr , '\n' | sed 's/.*: //; s/}//' > at$n
done
paste at32 at64 at128 | awk '{ v = $3 - $2; w = $2 - $1; bad += (v*v > w*w/9 && v*v > 1e-8) } END { print NR, "outputs,", bad + 0, "of first order" }'
awk 'NR <= 5 || NR == 12 { bad += ($1*$1 > 4e-8) } END { print bad + 0, "wrong" }' at128
"$REGULA" solve darcy.rg --json --no-estimate --method radau | grep -oE '"values": [^}]*}' | tr , '\n' | sed 's/.*: //; s/}//' > expanded
paste at8 expanded | awk '{ d = $1 - $2; bad += (d*d > 1e-18) } END { print bad + 0, "differ" }'
# and along solids
cat > solid.rg << 'END'
param N = 20
domain x = 0..1 cells N, y = 0..1 cells N
solid block = y < .2
let r = 1 + 2*y
vector u
field p
r*u = -grad(p)
div(u) = 0
boundary p(left) = 1, p(right) = 0
output a = u[x](.5, .2)*1.4, b = mean(u[x], y = .2)*1.4, c = mean(norm(u), y = .201)*1.402
END
for n in 20 40 80; do
    "$REGULA" solve solid.rg --set N=$n --json --no-estimate | grep -oE '"values": [^}]*}' | tr , '\n' | sed 's/.*: //; s/}//' |
        awk -v h=$((n)) '{ d = $1 - 1; bad += (d*d > 4/(h*h*h*h)*9) } END { print bad + 0, "wrong along a solid" }'
done
