# tol: 0.05
# floor: 0.5
# Steps along a table of time: small tolerances stop at its nodes, others go across them.
cat > driven.rg << 'M'
table f(t) = (0, 0, 1, 1, 2, 0.5, 3, 2, 4, 1, 5, 1.5, 6, 0) smooth
var x = 0
x' = -0.1*x + f(t)
over t = 0 .. 6
M
for tol in 1e-6 1e-10; do
    "$REGULA" solve driven.rg --tol $tol --no-estimate --json | grep -oE '"(steps|rejected)": [0-9]*'
done
