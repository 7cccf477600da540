# Conditions that lose their value behind the event: a root, a logarithm, a table at its end.  A step that ends where
# they have none has passed it all the same.
# tol: 1e-6
at() { # the events
    "$REGULA" solve - "$@" --json | sed 's/.*"status"/"status"/; s/, "message".*"events"/, "events"/; s/, "warnings".*//'
}
fall() { # condition
    printf '%s\n' 'state n = 0' 'var x = 1' "x' = -1" "when $1 { n = n + 1 }" 'over t = 0 .. 5'
}
for method in radau dopri rosenbrock sdirk extrapolation gauss; do
    fall 'sqrt(x) < 0.5' | at --method $method
    fall 'log(x) < -2' | at --method $method
done
fall 'x/sqrt(x*(2 - x)) < 0.1' | at
fall 'sqrt(x) < 0.5 or log(x) < -2' | at
# two of them, and one that is always defined, with a minimum beside the border
cat > three.rg << END
state n = 0
var x = 1, y = 0
x' = -1
y' = 1
when sqrt(x) < 0.5 { n = n + 1 }
when (y - 1.01)^2 < 1e-6 { n = n + 10 }
when log(x) < -3 { n = n + 100 }
over t = 0 .. 5
END
at < three.rg
# a root that comes and goes: t = pi - asin(1/4) + 2 k pi
printf '%s\n' 'var x = 0, v = 1' "x' = v" "v' = -x" 'when sqrt(x) < 0.5 { v = v }' 'over t = 0 .. 16' | at
# of time alone
printf '%s\n' 'var x = 1' "x' = -x" 'when log(1 - t) < -9 { x = 2 }' 'over t = 0 .. 5' | at
# a battery: the voltage of a table that ends at 0, at 3.2 = 3 + 4 soc - 0.05
cat > battery.rg << END
table ocv(s) = (0, 3, 0.1, 3.4, 0.5, 3.7, 0.9, 4, 1, 4.2) linear
var soc = 1
soc' = -1/3600
let V = ocv(soc) - 0.05
when "empty" V < 3.2 { stop "empty" }
over t = 0 .. 5000
output soc, V
END
at < battery.rg
