# Events that symmetry makes simultaneous fire together, whatever rounding does to them: number of events, of times.
# skips: bdf
count() {
    for o in "--tol 1e-6" "--tol 1e-9" "--method gauss" "--step 0.01" "--method sdirk --tol 1e-8" \
        "--method extrapolation --tol 1e-8" "--method lobatto3c --tol 1e-10"; do
        run "$1" $o
    done | sort | uniq -c | awk -v name="$1" '{ print name ":", $1, "runs with", $2, "events at", $3, "times" }'
    [ -z "$BDF" ] || echo "$1 by bdf: $(run "$1" --method bdf)"
}
run() {
    "$REGULA" solve "$@" --json 2>&1 | tr '{' '\n' | sed -n 's/^"t": \([^,]*\), "name".*/\1/p' |
        awk '{ all++; if ($1 != last) times++; last = $1 } END { print all, times }'
}
# two balls, one three times as high and as heavy to lift
cat > scaled.rg <<END
var a = 1, b = 3, u = 0, v = 0
a' = u
b' = v
u' = -9.81
v' = -29.43
when a < 0 { u = -0.8*u }
when b < 0 { v = -0.8*v }
over t = 0 .. 2
END
count scaled.rg
# four of them, each tied to their mean in its own way
cat > ring.rg <<END
param N = 4
var x[i=1..N] = 1, v[i=1..N] = 0, m
m = sum(i=1..N, x[i])/N
for i = 1..N { x[i]' = v[i] }
for i = 1..N { v[i]' = -9.81 + 2.1*(m - x[i])/i }
for i = 1..N { when x[i] < 0 { v[i] = -0.8*v[i] } }
over t = 0 .. 3
END
count ring.rg
# two with a nonlinear force between them
cat > force.rg <<END
var a = 1, b = 0.3, u = 0, v = 0, l
a' = u
b' = v
u' = -9.81 - l
v' = -2.943 - 0.3*l
l = 0.1*(u*0.3 + v)/0.6 + 0.01*u*v/0.3
when a < 0 { u = -0.8*u }
when b < 0 { v = -0.8*v }
over t = 0 .. 2
END
count force.rg
# the order of two values of one unknown is known, however close they are
cat > order.rg <<END
state k = 1
var x = 0
x' = 1 + x/10
when x > 0.5 + 1e-10 { k = 2*k }
when x > 0.5 { k = k + 1 }
over t = 0 .. 1
END
for method in radau $BDF gauss dopri sdirk; do echo "$method: $("$REGULA" solve order.rg --tol 1e-6 --json --method $method | grep -o '"k": [0-9]*')"; done
