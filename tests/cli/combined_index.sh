# The index and the freedom of a model whose equations are combined are those of the model as written, in the summary,
# in JSON and in check; factors of a combination need not know d, which enters by its cube.
cat >m.rg <<END
let A = 0.1*sin(t) - 0.27, B = 0.5*cos(2*t + 2), C = -0.77 + 0.2*t^2, D = -0.6 + 0.3*sin(2*t)
var a ~ -0.27, b ~ -0.2, c ~ -0.77, d ~ -0.6
let E = d + 0.6*c' + 0.1*d^3 + 0.3*a - D - 0.6*C' - 0.1*D^3 - 0.3*A
let F = b - B, G = a' + 0.4*a + 0.3*sin(a) - A' - 0.4*A - 0.3*sin(A)
E = 0
-0.4*cos(1.5*t + 1)*E + F = 0
0.2*cos(0.3*t + 2)*E - 0.2*cos(0.7*t + 3)*F + G = 0
-0.1*cos(0.6*t + 3)*E - 0.1*cos(0.7*t + 4)*F + 0.2*cos(1.2*t + 5)*G + c - 0.4*b' + 0.1*c^3 = C - 0.4*B' + 0.1*C^3
over t = 0 .. 3
END
for tol in 1e-3 1e-6 1e-9; do
    "$REGULA" solve m.rg --tol $tol --verbose 2>&1 | grep -c "^analysis: a combination"
    "$REGULA" solve m.rg --tol $tol | grep -o "radau, index ."
    "$REGULA" solve m.rg --tol $tol --json | grep -o '"index": ., "dof": .'
done
"$REGULA" check m.rg --json | grep -o '"index": ., "dof": .'
