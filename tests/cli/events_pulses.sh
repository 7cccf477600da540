# Events that no error test sees: of time alone, of algebraic signals, in a part of a long step.
# tol: 1e-12
# floor: 1e-12
# skips: bdf
count() { "$REGULA" solve "$@" --json | sed 's/.*"events_total": \([0-9]*\).*/\1/'; }
# sin(20 t) > 0.9 becomes true 32 times, nothing is integrated
cat > time.rg <<END
state n = 0
var x = 0
x' = 0
when sin(20*t) > 0.9 { n = n + 1 }
over t = 0 .. 10
END
count time.rg
sed "s/var x = 0/var x = 0, s/; s/when sin(20\*t)/s = sin(20*t)\nwhen s/" time.rg > signal.rg
for method in auto gauss $BDF sdirk lobatto3c; do echo "$method: $(count signal.rg --method $method)"; done
# a line above a parabola that a step passes over: two changes of a condition in a small part of it
cat > dip.rg <<END
state n = 0
var x = 0, v = -1
x' = v
v' = 0.2
when x < -2.4999 { n = n + 1 }
when x > -2.4999 { n = n + 10 }
over t = 0 .. 10
END
"$REGULA" solve dip.rg --json | grep -o '"n": [0-9]*'
# what is assigned decides a comparison that it makes equal; what is not assigned stays as it was
cat > equal.rg <<END
state slips = 1, n = 0, m = 0
var v = -1, x = -1
v' = 1
x' = 1
when v > 0 and slips > 0.5 { v = 0; n = n + 1; slips = 0 }
when x > 0 { m = m + 1 }
when x > 0.5 { slips = 1 }
output v, n, m
over t = 0 .. 3
END
"$REGULA" solve equal.rg --csv - --at 0.9,1.2,3 --quiet
