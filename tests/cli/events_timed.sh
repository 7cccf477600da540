# A condition that comes true at the time of an `every`, but for rounding: both happen at that time in the order of the
# text, with every method and tolerance.  y at the end, 0.857 and 1.713, and
# the number of events.
# skips: bdf
cat > when.rg << END
state n = 0
var x = 0, y = 1
x' = 1
y' = -y
when x > 1 { x = 0; n = n + 1; y = y + n }
every 0.5 { y = y/2 }
over t = 0 .. 3.2
END
awk '/^when/ { last = $0; next } { print } /^every/ { print last }' when.rg > every.rg
sed "s/^x' = 1/x' = c/; s/^var/param c = 0.3\nvar/; s/x > 1/x >= 0.3/" when.rg > slow.rg
for model in when every slow; do
    for method in radau dopri rosenbrock sdirk gauss extrapolation $BDF; do
        echo "$model $method:" $(for tol in 1e-3 1e-5 1e-6 1e-7 1e-9; do
            "$REGULA" solve $model.rg --method $method --tol $tol --json |
                sed 's/.*"y": \([0-9.]*\)}.*"events_total": \([0-9]*\).*/\1 \2/' | awk '{ printf "%.2f/%d ", $1, $2 }'
        done)
    done
done
