# tol: 2e-5
# An unknown that is not written, but asked for by a switch, in small units: the value of the model in large ones.  At
# 1e-15 no switch was passed, and y was -1.995 with an estimate of 1e-7.
for unit in 1e-15 1e-12 1e-9 1e-6 1 1e6; do
    cat > m.rg << E
param U = $unit
var z = 0, y = 0
z' = U*cos(3*t)*exp(-t/10)
y' = if(z > 0.1*U, 1, -2) - y
over t = 0 .. 6
output y
E
    for tol in 1e-3 1e-6 1e-9; do
        echo "$unit, $tol: $("$REGULA" solve m.rg --tol $tol | grep '^  y')"
    done
done
