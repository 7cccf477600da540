"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --set mm=2
