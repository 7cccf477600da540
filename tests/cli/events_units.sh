# tol: 1e-6
# A relay with hysteresis whose level is a small or large number in its unit: 13 events, whatever the unit, the method,
# the tolerance, and what is written.  Levels far below 1 were within the tolerance of 1 for the conditions, and no event
# was found, also where --atol named the unknown.
model() {
    cat << E
param U = $1
state on = 1
var z = 0
0.1*z' = 0.03*U*on - z
when z > 0.009*U { on = 0 }
when z < 0.005*U { on = 1 }
over t = 0 .. 0.5
output $2
E
}
for unit in 1e-12 1e-6 1 1e3 1e9; do
    for written in "level = z/U" on; do
        model $unit "$written" > m.rg
        for tol in 1e-3 1e-6 1e-9; do
            echo "$unit, $written, $tol: $("$REGULA" solve m.rg --tol $tol | grep -o '[0-9]* events$')"
        done
    done
done
model 1e-6 "level = z/U" > m.rg
for method in radau rosenbrock sdirk extrapolation; do
    echo "$method: $("$REGULA" solve m.rg --method $method --atol z=1e-15 | grep 'events$\|level')"
done
