# Cells ten times flatter than wide with white noise of contrast 1e6 in space: the own iteration needs hundreds of
# iterations or gives up; BoomerAMG some ten.  Same answer as a factorization.
. "$(dirname "$0")/support"
n=20
awk -v n=$n 'BEGIN { srand(7); for (r = 0; r < n*n; r++) { s = ""; for (i = 0; i < n; i++)
    s = s (i ? "," : "") sprintf("%.6g", 10^(6*rand() - 3)); print s } }' > noise.csv
cat > flat.rg <<END
domain x = 0..1 cells $n, y = 0..1 cells $n, z = 0..0.1 cells $n
data K = "noise.csv"
field p
vector u
u/K = -grad(p)
div(u) = 0
boundary p(left) = 1, p(right) = 0
output flux = integral(u[x], right)
END
for solver in petsc direct; do
    "$REGULA" solve flat.rg --solver $solver --no-estimate --json > $solver.json || fail "$solver: exit $?"
done
grep -q '"solvers": \["petsc"\]' petsc.json || fail "solved by something else"
is_near "$(number petsc.json flux)" "$(number direct.json flux)" 1e-9 || fail "another flux than by a factorization"
iterations=$(number petsc.json iterations)
[ "$iterations" -gt 0 ] && [ "$iterations" -le 60 ] || fail "$iterations iterations"
