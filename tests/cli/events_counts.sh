# States are no unknowns: they have no equations, no degrees of freedom, no blocks.
"$REGULA" check "$EXAMPLES/events/thermostat.rg" | sed -n '/unknowns/,/blocks/p'
"$REGULA" check "$EXAMPLES/events/diode_bridge.rg" --json | grep -o '"unknowns.*"blocks": [0-9]*'
"$REGULA" solve "$EXAMPLES/events/thermostat.rg" --json | grep -o '"unknowns.*"dof": [0-9]*'
# a name that is missing in an equation is told once: what the equation differentiates is not known
cat > missing.rg <<END
param g = 9.81
var h = 1, v = 0
h' = vv
v' = -g
when h < 0 { v = -v; h = 0 }
over t = 0 .. 1
END
"$REGULA" solve missing.rg
echo $?
