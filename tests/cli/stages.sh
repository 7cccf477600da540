"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --stages 4
