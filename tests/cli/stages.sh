"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --stages 8
