# tol: 1e-6
cp "$EXAMPLES/ivp/pendulum.rg" .
"$REGULA" check pendulum.rg --json
