"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --csv nowhere/out.csv --quiet
