# Constraints that are dependent up to a small part e: rounding is divided by e^2 in the multipliers.  What is said of
# their start values, and why a run stops, is true; that nothing determines them, or that there is a pole, was not.
model() { # e
    cat >m.rg <<END
param a = 1 + $1
var x1 = 0, x2 = 1
var y1, y2
x1' = y1 + y2 + cos(t) - exp(-t) - 1 - sin(2*t)
x2' = y1 + a*y2 - sin(t) - exp(-t) - a*(1 + sin(2*t))
x1 + x2 = sin(t) + cos(t)
x1 + a*x2 = sin(t) + a*cos(t)
over t = 0 .. 2
END
}
for e in 1e-4 1e-5 1e-6 1e-7 5e-8; do
    model $e
    "$REGULA" solve m.rg --tol 1e-4 --csv o.csv --accept-doubt >out 2>&1
    echo "$e: exit $?, x1 $(awk -F, 'END { print sqrt(($2 - sin($1))^2) < 1e-7 ? "right" : "wrong" }' o.csv)"
    grep -o "equations that are dependent up to rounding determine the start value of .*:" out
done
model 5e-8
"$REGULA" solve m.rg --formulation direct 2>&1 | sed 's/about [^ ]* of/about E of/' | grep remedy
