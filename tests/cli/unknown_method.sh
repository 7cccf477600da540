"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --method rada
