# A model of grids in other units of length and time, and with another start of its time, takes the same steps to the
# same numbers; a force that the pressure balances takes no more steps than one that moves something.
# tol: 1e-6
# floor: 1e-9
model() { # L, T, t0 in units of T
    cat << END
param L = $1, T = $2, t0 = $3*$2
let s = (t - t0)/T
domain x = 0..L cells 8, y = 0..2*L cells 10
vector u = (0, 0)
field p, c = .5
u' + div(u*u) = .1*L^2/T*lap(u) - grad(p) + (0, L/T^2*c*(1 + sin(3*s)))
div(u) = 0
c' + div(u*c) = .05*L^2/T*lap(c)
boundary u(top) = (L/T*cos(s), 0), c(left) = 1 + s
over t = t0 .. t0 + .3*T
output a = maximum(u[x])*T/L, b = p(.3*L, .4*L)*T^2/L^2, d = mean(c)
END
}
for units in "1 1 0" "1 1 1e6" "1 1 -1e3" "1e-6 1e-3 0" "1e6 1e3 1e3" "1e-3 1e9 1e6"; do
    model $units > model.rg
    "$REGULA" solve model.rg --no-estimate | grep -oE '[0-9]+ steps|^  [a-d] .*'
done
cat > rest.rg << 'END'
domain x = 0..1 cells 7 periodic, y = 0..1 cells 12
vector u = (0, 0)
field p
u' = 8.3*lap(u) - grad(p) + (0, cos(3.4*y)*y*(1 - y)*(1 + .7*sin(4.4*t)))
div(u) = 0
boundary u(bottom) = slip
over t = 0 .. .1
output top = maximum(p), speed = maximum(u[y])
END
"$REGULA" solve rest.rg --no-estimate | awk '/^ *top|^ *speed/ { print } / steps/ { print ($4 < 500 ? "few" : $4), "steps" }'
# A lid that begins to move is seen by the first step, however long the run is: nothing is faster than the lid.
cat > lid.rg << 'END'
domain x = 0..1 cells 32, y = 0..1 cells 32
vector u = (0, 0)
field p
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
boundary u(top) = (1, 0)
over t = 0 .. 1
output most = maximum(u[x]), least = minimum(u[x])
END
for to in 1 1000; do
    "$REGULA" solve lid.rg --to $to --no-estimate --quiet --csv lid.csv --json --max_steps 600 > /dev/null 2>&1
    cat lid.csv* | awk -F, 'NR > 1 { if ($2 > most) most = $2; if ($3 < least) least = $3; if ($1 < .01) early++ }
        END { print (most <= 1 && least > -.3 ? "bounded" : most " " least), (early >= 3 ? "from the start" : "") }'
    rm -f lid.csv*
done
# Sources and fluxes that depend on their field, in units of that field: the same values and iterations.
sources() { # C
    cat << END
param C = $1
domain x = 0..1 cells 16
field s ~ C, c = 0
0 = lap(s) - 20*s*(s/C)^2 + 10*C*cos(3*x)
c' = lap(c) - 5*c*(c/C)^2 + C
boundary s(left) = C, flux(c, right) = C*((c/C)^4 + c/C - 2)
over t = 0 .. 1
output a = mean(s)/C, b = s(.5)/C, d = c(.5)/C, e = maximum(c)/C
END
}
for C in 1 1e-9 1e9; do
    sources $C > sources.rg
    "$REGULA" solve sources.rg --no-estimate --scheme implicit --step .02 | grep -oE '[0-9]+ steps|^  [a-e] .*'
    "$REGULA" solve sources.rg --no-estimate | grep -oE '[0-9]+ steps|^  [a-e] .*'
done
# A force that changes in time, with another density: the same steps to the same numbers.
for rho in 1 1000 1e-3; do
    cat > density.rg << END
domain x = 0..1 cells 8 periodic, y = 0..1 cells 8
vector u = (1, 0)
field p
$rho*u' + $rho*div(u*u) = .05*$rho*lap(u) - grad(p) + ($rho*sin(30*t), 0)
div(u) = 0
over t = 0 .. 1
output a = maximum(u[x]), b = mean(u[x])
END
    "$REGULA" solve density.rg --no-estimate | grep -oE '[0-9]+ steps|^  [ab] .*'
done
# Lengths of 1e6 and more, a start that is not free of divergence, through the expanded equations: the constraints have
# entries of 1e-5 there, and were taken for singular (-.70 and .20 at exit 0).
for L in 1 1e6 1e9 1e-6; do
    cat > moved.rg << END
param L = $L
domain x = 0..L cells 8, y = 0..L cells 8
vector u = (L*sin(2*x/L), L*cos(3*y/L))
field p
u' + div(u*u) = .05*L^2*lap(u) - grad(p)
div(u) = 0
boundary u(top) = (L, 0)
over t = 0 .. .2
output a = u[x](.3*L, .4*L)/L, b = p(.3*L, .3*L)/L^2 - p(.7*L, .6*L)/L^2
END
    "$REGULA" solve moved.rg --method radau --tol 1e-7 --no-estimate | grep -E '^  [ab] '
done
