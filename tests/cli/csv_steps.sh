# Without chosen times: one row for every accepted step, and one for the start.
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --csv out.csv --json > out.json
steps=$(sed 's/.*"steps": \([0-9]*\).*/\1/' out.json)
[ "$(wc -l < out.csv)" -eq $((steps + 2)) ] && echo "as many rows as steps"
