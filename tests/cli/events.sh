# Events of all kinds: what happens when, what it leaves behind, what is refused on the way.
# tol: 1e-7
# floor: 1e-7
# skips: bdf
run() { # the JSON result from the status to the events
    "$REGULA" solve "$@" --json | sed 's/.*"status"/"status"/; s/, "drift".*"events"/, "events"/; s/, "warnings".*//'
}
# a ball: exact times sqrt(2/g) (1, 1 + 2e, ...), two rows at each of them
cat > ball.rg <<END
param g = 9.81, e = 0.8
state n = 0
var h = 1, v = 0
h' = v
v' = -g
when "bounce" h < 0 { v = -e*v; n = n + 1 }
over t = 0 .. 2
END
run ball.rg --tol 1e-10
"$REGULA" solve ball.rg --csv - --at 0.4,1.5,2 2> /dev/null
"$REGULA" solve ball.rg --csv - --tol 1e-10 2> /dev/null | awk -F, '$1 == last && $2 == n + 1 { pairs++ } { last = $1; n = $2 } END { print pairs }'
# the limit of bounces, 8.578949179
run ball.rg --to 12 --set e=0.9 2> /dev/null | grep -o '"message": "[^"]*at t = [0-9.]*'
run ball.rg --max_events 2 | grep -o '"message": "[^"]*"'
# stop
sed 's/when.*/when h <= 0 { stop "landing" }/' ball.rg > stop.rg
run stop.rg
# events that follow from others, in the order of the text, together with known times
cat > cascade.rg <<END
state a = 0, b = 0, c = 0
var x = 0
x' = 1
when x >= 1 { a = 1 }
when a > .5 { b = b + 1 }
when b > .5 { c = a + b }
every 0.5 from 0.5 { c = c + 10 }
over t = 0 .. 2
END
run cascade.rg
# ... without end
sed 's/when b.*/when b > .5 { a = 0; b = 0 }/; s/when a.*/when a < .5 { b = 1; a = 1 }/; s/a = 0, b/a = 1, b/; s/{ a = 1 }/{ a = 0 }/' cascade.rg > rest.rg
run rest.rg | grep -o '"message": "[^"]*"'
# true at the start: not before it has been false; a loop; all values before all assignments
cat > loop.rg <<END
state n[i=1..3] = 0, p = 1, q = 2
var u[i=1..3] = i
for i = 1..3 {
  u[i]' = -1
  when u[i] < 0.5 { n[i] = i; u[i] = 2 }
}
when u[3] > 1 { p = q; q = p }
over t = 0 .. 3
END
run loop.rg
# a constraint with a state in it: energy is kept, the string is shorter behind the peg
cat > peg.rg <<END
param g = 9.81
state py = 0, L = 1
var x = 0.6, y = -0.8, lam
var x' = 0, y' = 0
x'' = -lam*x
y'' = -lam*(y - py) - g
x^2 + (y - py)^2 = L^2
when "peg" x < 0 { py = -0.5; L = 0.5 }
output x, y, E = (x'^2 + y'^2)/2 + g*y
over t = 0 .. 1
END
run peg.rg --tol 1e-9
# values that contradict the constraint
sed 's/{ py.*/{ x = 1; y = 1 }/' peg.rg > contradiction.rg
run contradiction.rg | grep -o '"message": "[^"]*"'
# a thermostat against its exact solution, with other methods and with fixed steps
cat > thermostat.rg <<END
param Ta = 10, tau = 10, P = 2
state on = 1, Ts = 15, ts = 0
var T = 15
T' = -(T - Ta)/tau + P*on
when "off" T > 21 { on = 0; Ts = 21; ts = t }
when "on" T < 19 { on = 1; Ts = 19; ts = t }
exact T = Ta + P*tau*on + (Ts - Ta - P*tau*on)*exp(-(t - ts)/tau)
over t = 0 .. 30
END
for way in "--tol 1e-10" "--method dopri --tol 1e-10" ${BDF:+"--method bdf --tol 1e-10"} "--method rosenbrock --tol 1e-10" "--step 0.1"; do
    "$REGULA" solve thermostat.rg $way --json | sed 's/.*"errors": {"T": \([^}]*\)}.*"events_total": \([0-9]*\).*/\1 \2/' |
        awk -v way="$way" '{ print way ":", $2, "events,", $1 < (way ~ /bdf/ ? 1e-7 : 1e-9) ? "good" : "error " $1 }'
done
