# tol: 1e-6
"$REGULA" check "$EXAMPLES/ivp/pendulum.rg"
