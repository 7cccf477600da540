# Outputs beside sides and where blocks end, on several ranks as in one process: points, planes, sides, extrema, wells
# and forces, with fluxes and values that vary along sides which not every rank has; nobody waits for the others.
. "$(dirname "$0")/support"
export REGULA_MPIRUN="timeout -k 5 100 $REGULA_MPIRUN" # ranks that wait for ever end here
cat > bar.rg <<'END_MODEL'
domain x = 0..1 cells 12
field c = x^2, s
c' = .1*div((1 + x)*grad(c))
0 = lap(s) - s + c
boundary flux(c, left) = 1, c(right) = 2, flux(s, right) = 3
over t = 0 .. .01
output a = c(.01), b = c(.5), d = c(.99), e = c(1/3), f = s(.34), g = s(1), m = maximum(c, x = .5), n = minimum(s),
       h = integral(c*s), i = mean(c^2, left), j = integral(s, right)
END_MODEL
cat > flat.rg <<'END_MODEL'
domain x = 0..1 cells 8, y = 0..1 cells 8
field c = x + y^2, d = 1 + x*y
c' = div((.1 + .05*x)*grad(c)) - .1*c
d' = .1*lap(d)
boundary flux(c, bottom) = 1 + 3*x^2, c(right) = 1 + 2*y, flux(d, right) = cos(3*y), d(bottom) = 1 + x,
         flux(d, left) = .3
over t = 0 .. .01
output a = c(.99, .01), b = d(.99, .01), e = c(.5, .01), f = d(.99, .5), g = c(.51, .49), h = d(.5, 0), i = d(1, .5),
       j = c(0, 1), k = mean(c, y = .5), l = integral(c*d, y = .01), m = maximum(c^2, bottom), n = minimum(d, x = .5),
       o = maximum(c - d), q = mean(c^2, x = .99), r = integral(c, right), s = mean(d*c, x = .47)
END_MODEL
cat > rock.rg <<'END_MODEL'
domain x = 0..1 cells 8, y = 0..1 cells 8
field p, c = y
vector u
(1 + x*y)*u = -grad(p) + (0, .1)
div(u) = 0
c' + div(u*c) = div((.01 + .005*c)*grad(c))
boundary u[x](left) = 1 + y, p(top) = x, c(left) = 1 + sin(3*y), flux(c, bottom) = x
well in at (.49, .51) rate 1 with c = 1
well out at (.51, .1) pressure 0 radius .005
over t = 0 .. .004
output a = rate(out), b = c(out), d = p(out), e = p(in), f = c(.99, .99), g = c(.01, .5), h = u[y](.5, .99),
       i = u[x](.01, .49), j = integral(u[y], y = .5), k = maximum(p, x = .5), l = mean(u[x]*c, right),
       m = maximum(dot(u, u), y = .3), n = integral(c*p, top), o = maximum(u[y], left), q = mean(curl(u), x = .5)
END_MODEL
cat > room.rg <<'END_MODEL'
domain x = 0..1 cells 6, y = 0..1 cells 6 periodic, z = 0..1 cells 6 stretch z^2*(3 - 2*z)*.4 + .6*z
solid post = abs(x - .5) < .2 and abs(y - .5) < .2 and z < .4
vector u = (0, 0, 0)
field p, c = x + z
u' + div(u*u) = .1*lap(u) - grad(p) + (c, sin(x), x*z)
div(u) = 0
c' + div(u*c) = .1*lap(c)
boundary p(right) = 1 + z, flux(c, left) = 1 + z, flux(c, post) = .3, u(front) = (1, x, 0), c(back) = x
over t = 0 .. .002
output a = c(.01, .5, .99), b = u[x](.5, .01, .99), d = p(.99, .99, .5), e = u[z](.5, .5, .8), f = force(post, x),
       g = force(post, z), h = integral(z*u[x], x = .5), i = mean(c, z = .5), j = maximum(u[y], z = .45),
       k = minimum(u[z], y = .5), l = integral(dot(u, u), z = .99), m = mean(c*u[x], left), n = maximum(c*p),
       o = mean(u[y]*z, y = 0), q = integral(u[z], z = .6), r = maximum(u[x]^2, back), s = mean(u[x] + u[z], x = .52)
END_MODEL
# Cross terms of dispersion read ghosts beside corners: values that vary along a side on which blocks end.
cat > spread.rg <<'END_MODEL'
domain x = 0..1 cells 6, y = 0..1 cells 7, z = 0..1 cells 6
field p, c = x + y
vector u
(1 + .3*c)*u = -grad(p) + (0, x, .2)
div(u) = 0
c' + div(u*c) = div(dispersion(u, .01, .2, .05)*grad(c))
boundary p(left) = 1 + y*z, p(front) = sin(3*x + y), u[y](bottom) = 1 + x, c(front) = cos(5*x*y), c(top) = sin(4*x) + z,
         c(right) = 1 + y*z
over t = 0 .. .002
output a = maximum(c), b = minimum(c), d = c(.5, .5, .99), e = c(.5, .99, .5), f = integral(c^2), g = mean(c, front),
       h = c(.49, .51, .9), i = mean(c^2, top), j = integral(c*z, y = .5), k = c(.99, .5, .5), l = u[y](0, .5, 1),
       m = u[x](0, .01, 1), n = u[z](0, 1, 1), o = mean(u[y], front), q = mean(u[z]*u[y], left), r = maximum(u[x], front)
END_MODEL
# Darcy flow along open sides and in their corners, beside blocks of two cells and a solid that reaches a side.
cat > rim.rg <<'END_MODEL'
domain x = 0..1 cells 8, y = 0..1 cells 5 stretch y + .05*sin(2*pi*y)
solid b = x > .4 and x < .7 and y < .3
field p, c = 1
vector u
(1 + x*y)*c*u = -grad(p) + (y, x)
div(u) = x - .4
c' = lap(c)
boundary p(left) = sin(3*x + 2*y), p(right) = sin(3*x + 2*y), p(bottom) = sin(3*x + 2*y), u[y](top) = .3 + x*y
over t = 0 .. .002
output a = u[x](0, 0), d = u[y](0, 0), e = u[x](1, 0), f = u[y](1, 0), g = u[x](0, .99), h = u[y](0, .99), i = u[x](1, 1),
       j = u[y](1, 1), k = u[x](.2, 0), l = u[y](1, .4), m = mean(u[x]*u[y], bottom), n = maximum(u[y], left)
END_MODEL
# same MODEL RANKS STEP: the outputs of the serial run
same() {
    local model=$1 n=$2 step=$3
    local words=(solve $model.rg --step $step --points 2 --solver_tol 1e-13 --no-estimate --quiet)
    "$REGULA" "${words[@]}" --csv a.csv || fail "$model: exit $?"
    rm -f b.csv
    "$REGULA" "${words[@]}" --ranks $n --csv b.csv || fail "$model on $n ranks: exit $?"
    paste -d , a.csv b.csv | awk -v name="$model on $n ranks" -v tol=1e-11 -v few=1 -f "$(dirname "$0")/compare.awk" \
        || fail "$model on $n ranks: outputs differ"
}
same bar 2 .01
same bar 3 .01
same flat 2 .01
same flat 4 .01
same rock 4 .004
same room 4 .002
same spread 2 .002
same spread 4 .002
same rim 3 .002
same rim 4 .002
