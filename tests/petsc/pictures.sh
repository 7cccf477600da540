# Numbers and pictures of fields on several ranks, each of which has only its block: the bytes of one process; a file
# that cannot be written ends all ranks with one message.
. "$(dirname "$0")/support"
export REGULA_MPIRUN="timeout -k 5 100 $REGULA_MPIRUN" # ranks that wait for ever end here
cat > heat.rg <<'END_MODEL'
title "Heat"
domain x = 0..1 cells 11, y = 0..1 cells 7
solid rod = (x - .5)^2 + (y - .4)^2 < .04
field c = x + y^2, d = sin(5*x*y) - .3
c' = div((.1 + .05*x)*grad(c)) - .1*c
d' = .1*lap(d)
boundary flux(c, bottom) = 1 + 3*x^2, c(right) = 1 + 2*y, d(rod) = 1
over t = 0 .. .01
draw c, d, log10(d), (c, x*y)
END_MODEL
cat > room.rg <<'END_MODEL'
domain x = 0..1 cells 6, y = 0..1 cells 7 periodic, z = 0..1 cells 6 stretch z^2*(3 - 2*z)*.4 + .6*z
solid post = abs(x - .5) < .2 and abs(y - .5) < .2 and z < .6
vector u = (0, 0, 0)
field p, c = x + z
u' + div(u*u) = .1*lap(u) - grad(p) + (c, sin(x), x*z)
div(u) = 0
c' + div(u*c) = .1*lap(c)
boundary p(right) = 1 + z, flux(c, left) = 1 + z, u(front) = (1, x, 0), c(back) = x
over t = 0 .. .02
draw dot(curl(u), (1, 0, 0)), div(u), lines(u), c*x - y, u
END_MODEL
# More cells than a picture has columns, and values that are not there.
cat > line.rg <<'END_MODEL'
domain s = 0..1 cells 3000
field c = sin(1/(s + .01))
c' = 1e-7*lap(c)
over t = 0 .. 1e-6
draw c, log(c)
END_MODEL
# A plane with more faces than pixels: stream lines follow some of them.
cat > fine.rg <<'END_MODEL'
domain x = 0..2 cells 700 periodic, y = 0..1 cells 8
field p
vector u
u = -grad(p) + (1 + y, .3*sin(3.141592653589793*x))
div(u) = 0
draw lines(u)
END_MODEL
# same MODEL FIELDS RANKS OPTION...: the bytes of the drawings; FIELDS: also of the numbers and of the pictures, which
# otherwise may have another grey level where a number differs in its last digits
same() {
    local model=$1 has_fields=$2 ranks=$3
    shift 3
    local words=(solve $model.rg "$@" --solver_tol 1e-13 --no-estimate --quiet)
    "$REGULA" "${words[@]}" --svg a.svg --png a.png --fields a.csv --report a.html || fail "$model: exit $?"
    for n in $ranks; do
        rm -f b.*
        "$REGULA" "${words[@]}" --ranks $n --svg b.svg --png b.png --fields b.csv --report b.html \
            || fail "$model on $n ranks: exit $?"
        cmp a.svg b.svg || fail "$model on $n ranks: another drawing"
        if [ "$has_fields" = yes ]; then cmp a.png b.png; else "$(dirname "$0")/same-picture" a.png b.png; fi \
            || fail "$model on $n ranks: another picture"
        [ "$(grep -c '<image' a.html)" = "$(grep -c '<image' b.html)" ] || fail "$model on $n ranks: another report"
        if [ "$has_fields" = yes ]; then
            cmp a.csv b.csv || fail "$model on $n ranks: other numbers"
        else
            paste -d , a.csv b.csv | awk -v name="$model on $n ranks" -v tol=1e-11 -f "$(dirname "$0")/compare.awk" \
                || fail "$model on $n ranks: other numbers"
        fi
    done
}
same heat yes "1 2 3 4" --step .001
same room no "3 4" --step .02
same line yes 3 --step 1e-6
same fine no 2
# To standard output, by the first rank alone.
"$REGULA" solve heat.rg --step .001 --no-estimate --quiet --fields - > a.csv || fail "standard output"
"$REGULA" solve heat.rg --step .001 --no-estimate --quiet --fields - --ranks 2 > b.csv || fail "standard output of 2 ranks"
cmp a.csv b.csv || fail "another standard output"
# What cannot be written: told once, nobody waits.
refused() {
    local file=$1
    shift
    "$REGULA" solve heat.rg --step .001 --no-estimate --ranks 2 "$@" > /dev/null 2> told.txt
    local code=$?
    [ $code -eq 1 ] && [ "$(grep -c "$file" told.txt)" = 1 ] || { cat told.txt; fail "$*: exit $code"; }
}
refused /dev/full --fields /dev/full
refused /dev/full --svg /dev/full
refused no/such.png --png no/such.png
refused no/such.html --report no/such.html
