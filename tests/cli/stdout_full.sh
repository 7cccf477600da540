"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --json > /dev/full
