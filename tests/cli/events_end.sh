# tol: 1e-9
# An event at the very end, which one of the two runs may miss by rounding, refuses nothing; the position is right.
cat > m.rg << 'END'
state m = 1
var x = 0
x' = m
when x > 1 { m = -1 }
when x < -1 { m = 1 }
over t = 0 .. 11
output x
END
sed 's/output x/output x, m/' m.rg > both.rg
for tol in 1e-3 1e-4 1e-5 1e-6 1e-8 1e-10; do
    for method in radau rosenbrock sdirk; do
        "$REGULA" solve both.rg --method $method --tol $tol --points 5 > out 2>&1 || echo "$method $tol: $(cat out)"
        "$REGULA" solve m.rg --method $method --tol $tol --json | grep -o '"x": [^,}]*' | sed "s/^/$method $tol /" | sort -u
    done
done
