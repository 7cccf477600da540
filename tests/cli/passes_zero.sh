# tol: 1e-5
# A state of 1e10 units on a constraint with one of 1: where it passes 0 its tolerance is far below what rounding and the
# errors of the other allow.  lobatto3a stopped there; the run is repeated with atol by sizes, and says so.  sdirk, whose
# multipliers of index 2 have order 1 as written, takes the reduced model (49758 evaluations before).
for unit in 1 1e10 1e12; do
    cat > m.rg << E
param U = $unit
var x ~ 1, w ~ -0.1*U, y ~ 0
x' = -x + y + cos(t)
w' = -w + 0.5*U*y + U*sin(2*t)
x + w/U + 0.1*x^2 = 1 + 0.5*sin(t)
over t = 0 .. 6
output a = x, b = w/U, y
E
    for method in radau lobatto3a lobatto3c sdirk; do
        echo "$unit, $method"
        "$REGULA" solve m.rg --method $method --points 7 --json | tr ',{' '\n\n' | awk '
            /^ *"[aby]": / { gsub(/[^0-9.e+-]/, "", $2); last[$1] = $2 }
            /"evaluations"/ { few = $2 < 5000 ? "few" : "many" }
            /repeated with atol/ { print "    repeated" }
            END { printf "    %.6f %.6f %.6f, %s evaluations\n", last["\"a\":"], last["\"b\":"], last["\"y\":"], few }'
    done
done
