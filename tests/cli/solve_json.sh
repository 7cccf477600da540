# tol: 2e-3
cp "$EXAMPLES/ivp/pendulum.rg" .
"$REGULA" solve pendulum.rg --json | sed -e 's/"\(estimate\|steps\|rejected\|evaluations\|jacobians\|factorizations\|seconds\)": [^,}]*/"\1": N/g'
