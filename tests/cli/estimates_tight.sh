# tol: 0.5
# Estimated errors of runs with small tolerances: the second run has a smaller one still.
cat > wave.rg << 'M'
var x = 1, y = 0
over t = 0 .. 6
x' = y*(1 + x^2)
y' = -x + 0.1*y
M
for tol in 1e-9 1e-11; do
    for method in radau dopri; do
        echo "$tol $method $("$REGULA" solve wave.rg --tol $tol --method $method --json | grep -o '"estimate": [^,]*')"
    done
done
cat > late.rg << 'M'
var x = 1
over t = 1e7 .. 1e7+20
x' = -x*(1 + sin(t - 1e7)) + cos(3*t)
M
for tol in 1e-6 1e-9; do
    echo "$tol late $("$REGULA" solve late.rg --tol $tol --json | grep -o '"estimate": [^,]*')"
done
