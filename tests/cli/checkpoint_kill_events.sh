# Events, switches, another method on the way and runs that are repeated, killed and resumed: see tests/support/kill.sh.
# skips: bdf
. "$(dirname "$0")/../support/kill.sh"
cat > bounce.rg <<'END'
state k = 0
var h = 1, v = 0
h' = v
v' = -9.81 + 0.1*k*sin(t)
when "bounce" h < 0 { v = -0.99*v; k = 1 - k }
every 0.3 { k = 0 }
over t = 0 .. 40
output h, v, k
END
cat > switch.rg <<'END'
var x = 1, v = 0
x' = v
v' = -abs(x)*x - max(x, 0) + sin(3*t)
over t = 0 .. 150
END
cat > removable.rg <<'END'
var y = 0, x = 1, v = 0
(t - 0.5)*y' = (t - 0.5)*cos(t)
x' = v
v' = -x
over t = 0 .. 100
END
survives "events" solve ../bounce.rg
[ -z "$BDF" ] || survives "bdf, no digit of one output" solve ../bounce.rg --method bdf
survives "a removable place" solve ../removable.rg --tol 1e-8
survives "switches" solve ../switch.rg --tol 1e-8
survives "half-explicit" solve "$EXAMPLES/ivp/pendulum.rg" --method half-explicit --to 40
survives "another method takes over" solve "$EXAMPLES/ivp/vdpol.rg" --tol 1e-5
survives "sizes of unknowns" solve "$EXAMPLES/ivp/robertson.rg" --tol 1e-7 --atol auto
survives "fixed step" solve "$EXAMPLES/ivp/pendulum.rg" --step 0.01
