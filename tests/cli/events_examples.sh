# The nine models of events and data: errors against exact solutions, or values of independent programs.
# tol: 1e-9
# floor: 1e-9
for name in bouncing_ball clutch sampled_pid stick_slip tank_pump thermostat; do
    "$REGULA" solve "$EXAMPLES/events/$name.rg" --tol 1e-10 --json | awk -v name=$name '{
        match($0, /"errors": {[^}]*}/); n = split(substr($0, RSTART + 11, RLENGTH - 12), part, /[:,]/)
        for (k = 2; k <= n; k += 2) if (part[k] + 0 > worst) worst = part[k] + 0
        print name ":", n / 2, worst < 1e-9 ? "good" : "error " worst }'
done
for name in diode_bridge driven_pendulum pendulum_peg; do
    "$REGULA" solve "$EXAMPLES/events/$name.rg" --tol 1e-11 --json | sed 's/.*"values": {\([^}]*\)}.*/\1/; s/, "lambda.*//; s/, "support.*//; s/, "a".*//'
done
"$REGULA" solve "$EXAMPLES/events/bouncing_ball.rg" --json | grep -o '"message": "[^"]*"\|"events_total": [0-9]*'
"$REGULA" solve "$EXAMPLES/events/clutch.rg" | sed -n '/event/,$p' | head -5
