# tol: 2e-3
# floor: 1e-14    (constraint residuals after a projection)
cp "$EXAMPLES/ivp/pendulum.rg" .
"$REGULA" solve pendulum.rg --json | sed -e 's/"\(estimate\|steps\|rejected\|evaluations\|jacobians\|factorizations\|seconds\)": [^,}]*/"\1": N/g'
