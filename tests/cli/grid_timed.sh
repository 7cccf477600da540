# Data of grids that change in time: rates, sides, velocities, sources and forces that are 0 at the start, or for a
# short while only, are followed; what is constant stays constant while the rates of wells change.
# tol: 1e-3
# floor: 1e-9
head='domain x = 0..1 cells 8, y = 0..1 cells 8'
try() { # NAME, options: the lines behind the domain on standard input
    local name=$1
    shift
    { echo "$head"; cat; } > "$name.rg"
    "$REGULA" solve "$name.rg" --no-estimate "$@" | grep -E '^  [a-z] '
    echo "$name: exit ${PIPESTATUS[0]}"
}
flow="vector u = (0, 0)
field p
div(u) = 0
over t = 0 .. 1"
darcy="vector u
field p, c = 0
u = -grad(p)
div(u) = 0
c' + div(u*c) = 0
well B at (1, 1) pressure 0 radius 1e-3
over t = 0 .. 1"
echo "c = 1 everywhere, a rate that changes: 1, 1"
printf '%s\n' "${darcy/c = 0/c = 1}" 'well A at (0, 0) rate 1 + sin(20*t) with c = 1' 'output a = minimum(c), b = maximum(c)' > wells
try kept < wells
try implicit --scheme implicit < wells
echo "0.6366 comes in, nothing has come out yet"
printf '%s\n' "$darcy" 'well A at (0, 0) rate sin(pi*t) with c = 1' 'output a = mean(c) + 0*t' > wells
try rate < wells
echo "what is carried by 0.05*sin(pi*t)^2 moves by 0.025"
try carried << END
field c = exp(-20*(x - .5)^2)
c' + div(c*(.05*sin(pi*t)^2*sin(pi*x), 0)) = 0
over t = 0 .. 1
output a = integral(c*x)
END
echo "pulses of a fiftieth: 1 through a side, 1 from a source, 1 from one through another field"
try flux << END
field c = 0
c' = .001*lap(c)
boundary flux(c, left) = -if(t > .3 and t < .32, 50, 0)
over t = 0 .. 1
output a = mean(c)
END
try source << END
field c = 0
c' = .001*lap(c) + if(t > .3 and t < .32, 50, 0)
over t = 0 .. 1
output a = mean(c)
END
try through << END
field s, c = 0
0 = lap(s) - s + if(t > .3 and t < .32, 50, 0)
c' = s
over t = 0 .. 1
output a = mean(c)
END
echo "a side that goes up and down"
try side << END
field c = 0
c' = .1*lap(c)
boundary c(left) = sin(4*pi*t)
over t = 0 .. 1
output a = mean(c)
END
echo "a push of a fiftieth"
try push --at .31,1 << END
$flow
u' = .1*lap(u) - grad(p) + (if(t > .3 and t < .32, 50*y, 0), 0)
output a = maximum(u[x])
END
try growing << END
field c = 0
c' = .1*lap(c) + sin(t)
over t = 0 .. 1
output a = mean(c)
END
echo "a pulse of p on a side, and p there when it is given as t: 0.1 of momentum less what viscosity takes; 1"
try pressed --at .31,1 << END
$flow
u' = .1*lap(u) - grad(p)
boundary p(left) = if(t > .3 and t < .32, 5, 0), p(right) = 0
output a = maximum(u[x])
END
try rising << END
$flow
u' = .1*lap(u) - grad(p)
boundary p(left) = t, p(right) = 0
output a = p(0, .5), b = p(.5, .5)
END
echo "a smooth force takes few steps"
steps=$("$REGULA" solve "$EXAMPLES/grids/example41.rg" --set N=16 --no-estimate --json | grep -oE '"steps": [0-9]*' | cut -d' ' -f2)
[ "$steps" -lt 300 ] && echo yes
echo "a lid that begins to move later is not passed over by 'steady'"
for o in '' '--method radau'; do
    try late --at .5,1 $o << END
$flow
u' + div(u*u) = .1*lap(u) - grad(p)
boundary u(top) = (if(t > .5, 1, 0), 0)
output a = minimum(u[x])
solve steady = 1e-6
END
done
