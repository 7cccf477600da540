# The seam of periodic axes on several ranks: outputs at it and beside it, expressions of the axis there, and the fields
# themselves as in one process; blocks that end at the seam are other ranks' neighbours.
. "$(dirname "$0")/support"
export REGULA_MPIRUN="timeout -k 5 100 $REGULA_MPIRUN" # ranks that wait for ever end here
cat > seam.rg <<'END_MODEL'
domain x = 1..3 cells 8 periodic, y = -1..1 cells 8 periodic
vector u = (1 + .5*(x - 2), 2)
field p, c = x*y
u' + div(u*u) = div((1 + .1*x + .05*y)*grad(u)) - grad(p) + (.3*x + .1*x*y - 1, .2*y*sin(t*x))
div(u) = 0
c' + div(u*c) = div((.1 + .02*x)*grad(c)) + x
over t = 0 .. .01
output a = integral(x*u[x]), b = mean((x - 2)^2*u[x]), d = integral((2 + y)*u[y]), e = minimum(x*u[x]),
       f = maximum(x*u[x]), g = integral(x*u[x], y = .1), h = mean(y*u[y] + x), i = p(1.5, .25), j = u[x](1, .25), k = u[x](2.9, .3),
       l = mean(x*u[x], x = 1.1), m = mean(x*u[x], x = 2.9), n = mean(x*u[x], x = 1), o = mean(x*u[x], x = 3),
       q = mean(x*c, x = 2.95), r = mean(x*c, x = 1.02), s = c(2.99, -.99), v = c(1, 1), w = u[y](1.01, .97),
       z = maximum(c*u[y], y = .98), aa = mean(y*u[y], y = -1), ab = mean(c, y = .99), ac = u[x](3, -1),
       ad = integral(dot(u, u), x = 2.97), ae = maximum(curl(u), x = 1), af = minimum(curl(u)), ag = mean(p*x, x = 3)
END_MODEL
cat > plain.rg <<'END_MODEL'
domain x = 1..3 cells 8 periodic, y = -1..1 cells 4 periodic
vector u = (2, 3)
field p
u' + div(u*u) = lap(u) - grad(p)
div(u) = 0
over t = 0 .. .01
output a = integral(x*u[x]), b = integral(y*u[y]), c = mean((x - 2)^2*u[x]), d = mean(x*u[x], x = 2.95)
END_MODEL
cat > ring.rg <<'END_MODEL'
domain x = 0..1 cells 6, y = 0..1 cells 6 periodic, z = 0..1 cells 6 periodic
solid post = abs(x - .5) < .2 and (y < .2 or y > .8) and abs(z - .5) < .3
field p, c = y + z
vector u
(1 + y)*u = -grad(p) + (0, .3*y, z)
div(u) = 0
c' + div(u*c) = div((.1 + .05*y)*grad(c)) + z
boundary p(left) = 1 + sin(y), p(right) = z, c(left) = y
well w at (.5, .01, .99) rate .1 with c = 2
over t = 0 .. .01
output a = c(.5, 0, .01), b = c(.5, .99, 1), d = p(.3, 1, 1), e = u[y](.1, 0, .5), f = u[z](.1, .5, .99), g = c(w),
       h = integral(y*c), i = mean(z*u[z]), j = mean(y*c, y = .97), k = maximum(z*c, z = .99),
       l = integral(u[y], y = 0), m = mean(c*y, left), n = maximum(y*u[y], z = 1), o = integral(z*u[x], right), q = mean(p*y, y = 1)
END_MODEL
# same MODEL RANKS STEP
same() {
    local model=$1 ranks=$2 step=$3
    local words=(solve $model.rg --step $step --points 2 --solver_tol 1e-13 --no-estimate --quiet)
    "$REGULA" "${words[@]}" --csv a.csv --fields af.csv || fail "$model: exit $?"
    for n in $ranks; do
        rm -f b.csv bf.csv
        "$REGULA" "${words[@]}" --ranks $n --csv b.csv --fields bf.csv || fail "$model on $n ranks: exit $?"
        paste -d , a.csv b.csv | awk -v name="$model on $n ranks" -v tol=1e-11 -v few=1 \
            -f "$(dirname "$0")/compare.awk" || fail "$model on $n ranks: outputs differ"
        paste -d , af.csv bf.csv | awk -v name="$model on $n ranks" -v tol=1e-11 -f "$(dirname "$0")/compare.awk" \
            || fail "$model on $n ranks: fields differ"
    done
}
same seam "2 3 4" .01
same ring "2 3 4" .01
# Exactly: 2 * 2 * 4, 0 and 2/3 with 2 h^2/6.
"$REGULA" solve plain.rg --step .01 --points 2 --solver_tol 1e-13 --no-estimate --quiet --ranks 4 --csv b.csv \
    || fail "plain"
awk -F, 'END { h = .25; exit !(near($2, 16) && near($3, 0) && near($4, 2/3 + h*h/3) && near($5, 5.9)) }
         function near(a, b) { return a - b < 1e-9 && b - a < 1e-9 }' b.csv \
    || { cat b.csv; fail "plain flow on 4 ranks"; }
