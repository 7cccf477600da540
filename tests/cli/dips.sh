# An unknown that grows by itself from below atol takes the errors there along: the run is repeated, and with a given
# atol it is refused.
# tol: 1e-2
cat > pass.rg << 'END'
var y = 1
y' = y*s/(s^2 + 1e-10)
over s = -1 .. 1
END
cat > prey.rg << 'END'
var a = 20, b = 20
a' = a*(1 - b)
b' = b*(a - 1)
over t = 0 .. 24
END
solve() { "$REGULA" solve "$@" | grep -v ' s$' | grep -v '^$'; }
solve pass.rg --tol 1e-2 --method radau
solve pass.rg --tol 1e-2 --method radau --atol y=1e-8
solve pass.rg --tol 1e-2 --method radau --atol 1e-2 2>&1
solve pass.rg --tol 1e-2 --method radau --atol 1e-2 --accept-doubt
solve prey.rg --tol 1e-3 --method radau | grep -c 'was repeated with atol by their size'
# What has come back was not passed over, however many times it falls.
sed 's/= 20/= 10/g; s/24/60/' prey.rg > often.rg
solve often.rg --tol 1e-3 --method radau 2>&1 | grep -c 'was repeated with atol by their size'
# What others move through 0 is no such unknown, also where these are 0 at both ends.
cat > swing.rg << 'END'
param w = 2*pi
var x = 1, v = 0, z = 1, u = 0.75
x' = w*v
v' = -w*x
z' = -w*sin(w*t)
u' = 2*(t - 1)
over t = 0 .. 1
END
"$REGULA" solve swing.rg --tol 1e-3 --h_first 0.05 --h_max 0.05 --method radau | grep -c 'grow'
# Nor is what an event lifts.
cat > heater.rg << 'END'
state on = 1
var T = 18
T' = 4*on - 0.2*(T - 5)
when "off" T > 21 { on = 0 }
when "on"  T < 19 { on = 1 }
over t = 0 .. 24
END
"$REGULA" solve heater.rg | grep -c 'grow'
exit 0
