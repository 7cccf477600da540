# Values where two sides of the box meet, on sides of Darcy flow, which slips along them, and in three dimensions: what
# is given there, on the grid and by the expanded equations.
# tol: 1e-5
# floor: 1e-9
. "$EXAMPLES/../tests/support/both.sh"
echo "scalars: 1 where all sides are 1, 2 beside a side without a value"
both scalars --tol 1e-7 << 'END'
domain x = 0..1 cells 4, y = 0..1 cells 4, z = 0..1 cells 4
field c = 1, s
c' = lap(c)
0 = lap(s)
boundary c(left) = 1, c(bottom) = 1, c(back) = 1, c(right) = 2, s(left) = 1, s(bottom) = 1, s(back) = 1
over t = 0 .. .01
output a = c(0, 0, 0), b = c(0, 0, .5), d = c(.01, .01, .01), e = c(1, 1, 1), f = s(0, 0, 0), g = s(1, 1, 1)
END
echo "beside a periodic axis: 1"
both ring --tol 1e-7 << 'END'
domain x = 0..1 cells 4 periodic, y = 0..1 cells 4
field s
0 = lap(s)
boundary s(bottom) = 1, s(top) = 1
output a = s(0, 0), b = s(1, 1), c = s(.05, .02)
END
echo "p on four sides, and p beside walls: 3, 3"
both pressure --tol 1e-7 << 'END'
domain x = 0..1 cells 4, y = 0..1 cells 4
vector u
field p
u = -grad(p)
div(u) = 0
boundary p(left) = 3, p(bottom) = 3, p(right) = 3, p(top) = 3
output a = p(0, 0), b = p(1, 1), c = p(.05, .98)
END
echo "1 + x + y in the corners"
both linear --tol 1e-7 << 'END'
domain x = 0..1 cells 4, y = 0..1 cells 4
vector u
field p
u = -grad(p)
div(u) = 0
boundary u[x](left) = -1, p(bottom) = 1 + x, p(top) = 2 + x, u[x](right) = -1
output a = p(0, 0), b = p(1, 1), c = p(0, 1), d = p(1, 0), e = p(.02, .03)
END
echo "Darcy flow along its sides: 1 and 2, and what turns it"
both layers --tol 1e-7 << 'END'
domain x = 0..1 cells 4, y = 0..1 cells 4
vector u
field p
u = -if(y > .5, 2, 1)*grad(p)
div(u) = 0
boundary p(left) = 1, p(right) = 0
output a = u[x](.5, 0), b = u[x](.5, 1), c = mean(u[x], top), d = mean(u[x], y = .98), e = u[x](0, .01)
output f = maximum(curl(u)), g = minimum(curl(u)), h = maximum(u[x], bottom), i = mean(u[x]^2, top)
END
echo "walls that move together: 1 on the edge; Darcy flow in three dimensions"
both edge --tol 1e-7 --step 1e-2 << 'END'
domain x = 0..1 cells 3, y = 0..1 cells 3, z = 0..1 cells 3
vector u = (0, 0, 0)
field p
u' = lap(u) - grad(p)
div(u) = 0
boundary u(top) = (1, 0, 0), u(front) = (1, 0, 0)
over t = 0 .. 1e-2
output a = u[x](.5, 1, 1), b = u[x](.5, 1, .5), c = u[y](.5, 1, 1), d = maximum(u[x], top), e = mean(u[x], front)
END
both cube --tol 1e-7 << 'END'
domain x = 0..1 cells 3, y = 0..1 cells 3, z = 0..1 cells 3
vector u
field p
(1 + z)*u = -grad(p)
div(u) = 0
boundary p(left) = 1 + y, p(right) = 0
output a = u[x](.5, 1, 1), b = u[y](.5, .5, 1), c = u[x](0, 0, 0), d = mean(dot(curl(u), curl(u))), e = maximum(u[x], top)
END
echo "dispersion to a side with a value is on the grid only"
cat > dispersed.rg << 'END'
domain x = 0..1 cells 4, y = 0..1 cells 4
vector u
field p, c = 0
u = -grad(p)
div(u) = 0
c' + div(u*c) = div(dispersion(u, .01, .1, .02)*grad(c))
boundary p(left) = 1, p(right) = 0, c(left) = 1
over t = 0 .. .1
END
"$REGULA" solve dispersed.rg --method radau --quiet 2>&1
echo "exit $?"
# given values that vary along the sides: of second order in the corners, the same in the expanded equations
cat > vary.rg << 'END'
param N = 8
domain x = 0..1 cells N, y = 0..1 cells N
field s, c = sin(x + 2*y)
vector u
field p
0 = lap(s) + 5*sin(x + 2*y)
c' = lap(c) + 5*sin(x + 2*y)
u = -grad(p)
div(u) = 5*sin(x + 2*y)
boundary s(left) = sin(2*y), s(bottom) = sin(x), s(right) = sin(1 + 2*y), flux(s, top) = -2*cos(x + 2)
boundary c(left) = sin(2*y), flux(c, bottom) = 2*cos(x), c(top) = sin(x + 2), flux(c, right) = -cos(1 + 2*y)
boundary p(left) = sin(2*y), p(bottom) = sin(x), p(right) = sin(1 + 2*y), p(top) = sin(x + 2)
over t = 0 .. .01
output a = s(0, 0), b = s(1, 0) - sin(1), d = s(0, 1) - sin(2), e = s(1, 1) - sin(3), f = c(0, 0), g = c(1, 0) - sin(1),
       h = c(0, 1) - sin(2), i = c(1, 1) - sin(3), j = p(0, 0), k = p(1, 0) - sin(1), l = p(0, 1) - sin(2),
       m = p(1, 1) - sin(3), n = s(.01, .02) - sin(.05), o = p(.01, .99) - sin(1.99)
END
values() { grep -oE '"values": [^}]*}' | tr , '\n' | sed 's/.*: //; s/}//'; }
for n in 8 16 32; do "$REGULA" solve vary.rg --set N=$n --json --no-estimate | values > at$n; done
"$REGULA" solve vary.rg --tol 1e-7 --json --no-estimate --method radau | values > expanded
paste at8 at16 at32 expanded | awk '{ first += ($3*$3 > $2*$2/9 && $3*$3 > 1e-8); wrong += ($3*$3 > 1.2e-6); differ += (($1 - $4)^2 > 1e-11) }
    END { print NR, "corners,", first + 0, "of first order,", wrong + 0, "wrong,", differ + 0, "differ" }'
# Darcy flow where two open sides meet: the values of its faces there are of first order, what p makes of them on the
# sides is not.  With a force and a scalar in the resistance, and in three dimensions
cat > open.rg << 'END'
param N = 10
domain x = 0..1 cells N, y = 0..1 cells N
let P = sin(x + 2*y), r = 1 + x + 2*y
let Fx = cos(y) - cos(x + 2*y), Fy = x - 2*cos(x + 2*y)
vector u
field p, s
r*(1 + s - x*y)*u = -grad(p) + (cos(y), x)
div(u) = 5*P/r - (Fx + 2*Fy)/r^2
0 = lap(s)
boundary s(left) = x*y, s(right) = x*y, s(bottom) = x*y, s(top) = x*y
boundary p(left) = P, p(bottom) = P, p(right) = P, p(top) = P
output a = u[x](0, 0), b = u[y](0, 0) + 2, c = u[x](1, 0) - (1 - cos(1))/2, d = u[y](1, 0) - (1 - 2*cos(1))/2,
       e = u[x](0, 1) - (cos(1) - cos(2))/3, f = u[y](0, 1) + 2*cos(2)/3, g = u[x](1, 1) - (cos(1) - cos(3))/4,
       h = u[y](1, 1) - (1 - 2*cos(3))/4, i = u[x](.5, 0) - (1 - cos(.5))/1.5, j = u[y](1, .5) - (1 - 2*cos(2))/3
END
sed 's/y = 0..1 cells N/y = 0..1 cells N, z = 0..1 cells 2/; s/(cos(y), x)/(cos(y), x, 0)/; s/(\([^ ]*\), \([^ ]*\))\( [-+]\|,\)/(\1, \2, .5)\3/g' \
    open.rg > box.rg
for model in open box; do
    for n in 10 20 40; do "$REGULA" solve $model.rg --set N=$n --json --no-estimate | values > at$n; done
    "$REGULA" solve $model.rg --tol 1e-7 --json --no-estimate --method radau | values > expanded
    paste at10 at20 at40 expanded |
        awk '{ first += ($3*$3 > $2*$2/9 && $3*$3 > 1e-8); wrong += ($3*$3 > 2.5e-5); differ += (($1 - $4)^2 > 1e-14) }
        END { print NR, "corners of open sides,", first + 0, "of first order,", wrong + 0, "wrong,", differ + 0, "differ" }'
done
