# Systems without symmetry on 1, 2, 3 and 4 ranks: scalars carried by implicit steps, at rest in a flow, with sources that
# grow; and fluxes as unknowns (mixed).  Every field as in the serial run.
. "$(dirname "$0")/support"
export REGULA_MPIRUN="timeout -k 5 100 $REGULA_MPIRUN" # ranks that wait for ever end here
cat > dye.rg <<'END_MODEL'
domain x = 0..2 cells 20, y = 0..1 cells 10
solid disk = (x - .95)^2 + (y - .47)^2 < .03
vector u ~ (1, 0)
field p, c = 0, d = x
u' + div(u*u) = .02*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = .01*lap(c) - 3*c + d
d' + dot(u, grad(d)) = div((.01 + .01*d^2)*grad(d)) + 3*c - d
boundary u(left) = (6*y*(1-y), 0), p(right) = 0, c(left) = if(y < .5, 1, 0), c(disk) = .5, flux(d, top) = x
over t = 0 .. .2
output m = mean(c), n = mean(d), w = integral(c, x = .95)
END_MODEL
cat > wells.rg <<'END_MODEL'
domain x = 0..1 cells 10 periodic, y = 0..1 cells 8, z = 0..1 cells 6
field p, c = y
vector u
(1 + x*y)*(1 + c)*u = -grad(p) + (0, 0, .1)
div(u) = 0
(1 + .5*x)*c' + div(u*c) = div((.01 + .005*c)*grad(c))
boundary p(top) = 0, c(top) = .3
well in at (.1, .8, .1) rate 1 with c = 1
well out at (.9, .9, .3) pressure 0 radius .005
over t = 0 .. .1
output q = rate(out), m = mean(c), v = c(.31, .27, .2)
END_MODEL
cat > rest.rg <<'END_MODEL'
domain x = 0..1 cells 16, y = 0..1 cells 12
solid post = abs(x - .5) < .1 and abs(y - .5) < .2
field p, T ~ 0
vector u
(1 + x)*u = -grad(p)
div(u) = 0
div(u*T) = div(.02*grad(T)) + x - T^3
boundary p(left) = 1, p(right) = 0, T(left) = y, T(post) = 1
output m = mean(T), most = maximum(T)
END_MODEL
cat > bratu.rg <<'END_MODEL'
domain x = 0..1 cells 14, y = 0..1 cells 12
field T ~ 0
0 = lap(T) + 3*exp(T)
boundary T(bottom) = 0, T(top) = 0, T(left) = 0, T(right) = 0
output m = mean(T), most = maximum(T)
END_MODEL
cat > closed.rg <<'END_MODEL'
domain x = 0..1 cells 12, y = 0..1 cells 8 periodic, z = 0..1 cells 6
solid rock = x > .4 and x < .6 and z < .5
field p, c = 0
vector u
u*exp(4*sin(9*x*y) + z) = -grad(p) + (0, .1, sin(x))
div(u) = 0
c' + div(u*c) = 0
well in at (.1, .8, .1) rate 1 with c = 1
well out at (.9, .3, .9) rate -1
over t = 0 .. .02
output m = mean(c), a = maximum(p, x = .3), v = p(.2, .3, .4)
END_MODEL
# same MODEL RANKS OPTION...: fields and outputs of the serial run
same() {
    local model=$1 ranks=$2
    shift 2
    local words=(solve $model.rg "$@" --solver_tol 1e-13 --no-estimate --json)
    "$REGULA" "${words[@]}" --fields a.csv --csv a-rows.csv > a.json || fail "$model: exit $?"
    for n in $ranks; do
        rm -f b.csv b-rows.csv
        "$REGULA" "${words[@]}" --ranks $n --fields b.csv --csv b-rows.csv > b.json || fail "$model on $n ranks: exit $?"
        paste -d , a.csv b.csv | awk -v name="$model on $n ranks" -v tol=1e-11 -f "$(dirname "$0")/compare.awk" \
            || fail "$model $*: fields differ"
        paste -d , a-rows.csv b-rows.csv | awk -v name="$model on $n ranks" -v tol=1e-9 -v few=1 \
            -f "$(dirname "$0")/compare.awk" || fail "$model $*: outputs differ"
        [ "$(number a.json steps)" = "$(number b.json steps)" ] || fail "$model: another number of steps"
    done
}
same dye "1 2" --scheme implicit --step .02
same dye 4 --scheme implicit --step .1
same wells 2 --scheme implicit
same rest 3
same rest 2 --method mixed
same bratu 4
same wells 4 --method mixed --step .002 --to .004
same closed "2 4" --method mixed --step .0005 --to .001
# Options for these systems; words that are not read are told.
"$REGULA" solve rest.rg --ranks 2 --quiet --petsc "-carry_pc_type jacobi -carry_no_such 1" > /dev/null 2> told.txt \
    || { cat told.txt; fail "options of PETSc"; }
[ "$(grep -c 'nothing in PETSc has read -carry_no_such' told.txt)" = 1 ] || { cat told.txt; fail "a word that is not read"; }
# Nothing determines the level: told once, with the status of one process.
cat > level.rg <<'END_MODEL'
domain x = 0..1 cells 12, y = 0..1 cells 8
field p, T ~ 0
vector u
u = -grad(p)
div(u) = 0
div(u*T) = lap(T) + x - .5
END_MODEL
for words in "" "--ranks 2"; do
    "$REGULA" solve level.rg $words > /dev/null 2> told.txt
    code=$?
    [ $code -eq 3 ] && [ "$(grep -c "nothing determines the level of 'T'" told.txt)" = 1 ] \
        || { cat told.txt; fail "no level, $words: exit $code"; }
done
