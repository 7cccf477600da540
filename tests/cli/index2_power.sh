# An algebraic unknown that follows from a multiplier of index 2 (power = force*speed), but enters no other equation: its
# errors count as those of the multiplier, and steps need not be short for it.  sdirk took 1e6 evaluations and more,
# lobatto3a stopped with steps below rounding.
# tol: 1e-6
for unit in 1 1e6 1e-6; do
    cat > m.rg << E
param U = $unit
var x ~ 1, w ~ -0.5, y ~ 0, P ~ 0
x' = -x + y/U + 0.2*w^2
w' = x - w - y/U + cos(3*t)
x - 0.8*w + 0.1*x^2 = 1.5 + 0.5*sin(2*t)
2*P + U*sin(P/U) = y*(1 + x^2)
output a = x, b = y/U, c = P/U
over t = 0 .. 3
E
    for method in radau gauss lobatto3a lobatto3c sdirk; do
        "$REGULA" solve m.rg --method $method --points 4 --json | tr ',{' '\n\n' | awk -v name="$unit, $method" '
            /^ *"[abc]": / { gsub(/[^0-9.e+-]/, "", $2); last[$1] = $2 }
            /"evaluations"/ { few = $2 < 100000 }
            END { printf "%s: %.5f %.4f %.4f %s\n", name, last["\"a\":"], last["\"b\":"], last["\"c\":"],
                         few ? "soon" : "late" }'
    done
done
