# Steps of carried scalars that are stable where diffusion is large in one cell beside a side, where wells take out of a
# cell what comes from all sides, where a factor stands before the convection, and where that factor is negative: the
# grid beside Radau IIA on the expanded equations, value by value.
# tol: 2e-3
. "$EXAMPLES/../tests/support/both.sh"
echo "a good conductor in the last cell"
both side << 'END'
domain x = 0..1 cells 10
field c = 0
c' = div(if(x > .9, 1000, 1)*grad(c))
boundary c(right) = 1
over t = 0 .. .01
output a = mean(c), b = maximum(c)
END
echo "a well in the middle takes what comes through six faces"
both sink --transport upwind << 'END'
domain x = 0..1 cells 5, y = 0..1 cells 5, z = 0..1 cells 5
field p, c = .5 + .1*sin(50*x*y + z)
vector u
u = -grad(p)
div(u) = 1
c' + div(u*c) = .5
well W at (.5, .5, .5) rate -1
over t = 0 .. .5
output a = mean(c), b = maximum(c), d = c(W)
END
echo "what u.grad takes out of a cell comes in: a sink without convection of c to it, constants stay"
both advected --transport upwind << 'END'
domain x = 0..1 cells 7, y = 0..1 cells 7
field p, c = 1, b = x
vector u
u = -grad(p)
div(u) = 0
c' + dot(u, grad(c)) = 0
b' + 3*dot(u, grad(b)) = 0
well A at (.1, .1) rate 1 with c = 1, b = 2
well W at (.5, .5) pressure 0 radius .001
over t = 0 .. .2
output a = minimum(c), d = maximum(c), e = mean(b), f = maximum(b)
END
echo "factors"
both factors --transport upwind --tol 1e-6 --cfl .05 << 'END'
domain x = 0..1 cells 12, y = 0..1 cells 3
field c = exp(-50*(x - .5)^2), b = exp(-50*(x - .5)^2), d = exp(-50*(x - .5)^2)
c' = div(c*(-.5, 0))
b' - 5*div(b*(.1, 0)) = .001*lap(b)
d' + 50*div(d*(.01, 0)) = 0
boundary c(left) = .2, b(left) = .1, b(right) = .2, d(left) = .1
over t = 0 .. .4
output mc = mean(c), xc = c(.7, .5), mb = mean(b), xb = b(.3, .5), md = mean(d), xd = d(.7, .5)
END
echo "dispersion across the seam of a periodic axis"
both seam --transport upwind << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 7 periodic
vector u
field p, c = x*y
(1 + .5*sin(2*pi*y))*u = -grad(p)
div(u) = 0
c' + div(u*c) = div(dispersion(u, .01, .1, .02)*grad(c))
boundary p(left) = 1, p(right) = 0
over t = 0 .. .2
output a = mean(c), b = c(.3, .2), d = maximum(c)
END
echo "a solid at the seam: the same on both of its sides"
cat > ring.rg << 'END'
domain x = 0..1 cells 10 periodic, y = 0..1 cells 4
solid S = x < .2
field c = 0
c' = lap(c)
boundary c(S) = 1 + t
over t = 0 .. .02
output a = c(.25, .5), b = c(.95, .5)
END
"$REGULA" solve ring.rg --no-estimate --json | grep -oE '"values": [^}]*}' | head -n 1
