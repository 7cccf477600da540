# Solids on 2 and 4 ranks: every field as in the serial run, also where the blocks end inside a solid; walls at rest,
# moving, slipping, with values and fluxes of scalars; periodic axes; three dimensions; wells beside solids.
. "$(dirname "$0")/support"
cat > disk.rg <<'END'
domain x = 0..2 cells 26, y = 0..1 cells 14
solid disk = (x - .95)^2 + (y - .47)^2 < .03
vector u ~ (1, 0)
field p, c = 0
u' + div(u*u) = .02*lap(u) - grad(p) + (0, .1*c)
div(u) = 0
c' + div(u*c) = .01*lap(c)
boundary u(left) = (6*y*(1-y), 0), p(right) = 0, c(left) = if(y < .5, 1, 0), c(disk) = .5
over t = 0 .. .1
output d = force(disk, x), l = force(disk, y), fl = integral(u[x], right), e = integral(dot(u,u)),
       s = minimum(u[y], y = .47), m = mean(c, x = .93), w = integral(c, x = .95), q = p(.7, .5) - p(1.2, .5)
END
cat > ring.rg <<'END'
domain x = 0..2 cells 16 periodic, y = 0..1 cells 12
solid block = (x < .3 or x > 1.8) and y < .4, wheel = abs(x - 1) < .26 and abs(y - .5) < .13
vector u = (.5, 0)
field p, c = x*(2 - x)
u' + div(u*u) = .05*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = div(.02*(1 + c^2)*grad(c))
boundary u(wheel) = (.3, 0), u(block) = slip, flux(c, wheel) = -.2
over t = 0 .. .1
output d = force(wheel, x), e = mean(dot(u, u)), m = maximum(c), k = integral(c, x = 0), j = integral(u[x], x = 1)
END
cat > rock.rg <<'END'
domain x = 0..1 cells 10, y = 0..1 cells 10, z = 0..1 cells 8
solid rock = abs(x - .5) < .21 and y > .4 and z < .6
field p, c = 0
vector u
(1 + x*y)*(1 + c)*u = -grad(p) + (0, 0, .1)
div(u) = 0
c' + div(u*c) = div((.01 + .005*c)*grad(c))
well in at (.1, .8, .1) rate 1 with c = 1
well out at (.9, .9, .3) pressure 0 radius .005
over t = 0 .. .02
output q = rate(out), m = mean(c), v = c(.31, .27, .2), a = maximum(p, x = .3), f = integral(u[x], x = .5)
END
cat > heat.rg <<'END'
domain x = 0..1 cells 16, y = 0..2 cells 12
solid rod = (x - .5)^2 + (y - 1)^2 < .1
field T ~ 0
0 = div((1 + T^2)*grad(T)) + sin(x) - T^3
boundary T(bottom) = 1, T(top) = x*(1 - x), T(rod) = 2
output m = mean(T), most = maximum(T)
END
# same MODEL RANKS OPTION...: fields and outputs of the serial run
same() {
    local model=$1 ranks=$2
    shift 2
    "$REGULA" solve $model.rg "$@" --solver_tol 1e-13 --fields a.csv --csv a-rows.csv --json > a.json \
        || fail "$model: exit $?"
    for n in $ranks; do
        rm -f b.csv b-rows.csv
        "$REGULA" solve $model.rg "$@" --solver_tol 1e-13 --ranks $n --fields b.csv --csv b-rows.csv --json > b.json \
            || fail "$model on $n ranks: exit $?"
        paste -d , a.csv b.csv | awk -v name="$model on $n ranks" -v tol=1e-11 -f "$(dirname "$0")/compare.awk" \
            || fail "$model $*: fields differ"
        paste -d , a-rows.csv b-rows.csv | awk -v name="$model on $n ranks" -v tol=1e-9 -v few=1 \
            -f "$(dirname "$0")/compare.awk" || fail "$model $*: outputs differ"
        [ "$(number a.json steps)" = "$(number b.json steps)" ] || fail "$model: another number of steps"
    done
}
# one cell thick, at the ends of blocks, with fluid on both sides
for n in 12 13; do
    sed "s/^solid.*/solid disk = x > $n\/13 and x < $n\/13 + 1\/13 and y > .2 and y < .7/" disk.rg > thin$n.rg
    same thin$n 2 --points 3 --no-estimate --scheme ssprk3 --convection tvd --transport tvd
done
same disk 4 --points 3
same disk 2 --points 3 --no-estimate --scheme ssprk3 --convection tvd --transport tvd
same ring 4 --points 3 --no-estimate
same rock 4 --points 3 --no-estimate
same heat 2 --no-estimate

# The estimate at a place beside the cut, with a solid behind it: the rank of the solid alone interpolated linearly, and
# the parts of both were not of one polynomial (0.06 instead of 0.001).
cat > near.rg <<'END_MODEL'
domain x = 0..2 cells 16, y = 0..1 cells 8
solid block = abs(x - 1.2) < .19 and abs(y - .5) < .3
field c = 10 + sin(x)
c' = .05*lap(c)
boundary c(left) = 10, c(block) = 11
over t = 0 .. .1
output a = c(.88, .5)
END_MODEL
"$REGULA" solve near.rg --json > a.json || fail "near: exit $?"
"$REGULA" solve near.rg --json --ranks 2 > b.json || fail "near on 2 ranks: exit $?"
is_near "$(number a.json estimate)" "$(number b.json estimate)" 1e-9 || fail "near on 2 ranks: another estimate"
