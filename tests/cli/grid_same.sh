# The same flow in other units of length, with any small eps, and between solids instead of sides; sources set the step.
# tol: 1e-7
# floor: 1e-9
echo "a cavity in other units, and with other eps"
cavity() { # unit of length
    cat << END > cavity.rg
param X = $1, T = 2, N = 8
domain x = 0..X cells N, y = 0..X cells N
vector u = (0, 0)
field p
u' + div(u*u) = X^2/T*.01*lap(u) - grad(p)
div(u) = 0
boundary u(top) = (X/T, 0)
over t = 0 .. T
output umin = minimum(u[x], x = .5*X)*T/X, vmax = maximum(u[y], y = .5*X)*T/X
END
}
values() { "$REGULA" solve "$@" --quiet --json --no-estimate | grep -oE '"values": [^}]*}'; }
for unit in 1 1e-12 1e9; do
    cavity $unit
    values cavity.rg
done
cavity 1
values cavity.rg --eps 1e-16
values cavity.rg --eps 1e-40
values cavity.rg --eps 1e-40 --scheme heun
echo "a channel between sides, and between solids"
channel() { # the axis y, a solid
    cat << END > channel.rg
domain x = 0..2 cells 8, y = $1
$2
vector u ~ (0, 0)
field p, c = 1
u' + div(u*u) = lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = .3*lap(c)
boundary p(left) = 24, p(right) = 0, c(left) = 2
over t = 0 .. .2
output q = integral(u[x], right), most = maximum(u[x], left), least = minimum(u[x], right), c = integral(c)
solve step = .01
END
    values channel.rg
    sed 's/^u. + div(u\*u) = lap(u) - grad(p)/u = -grad(p)/; s/vector u ~ (0, 0)/vector u/' channel.rg > darcy.rg
    values darcy.rg
}
channel "0 .. 1.125 cells 6"
channel "-.375 .. 1.5 cells 10" "solid low = y < 0
solid high = y > 1.125"
echo "sources alone, and beside implicit diffusion: errors below 20 tol"
cat > react.rg << 'END'
domain x = 0..1 cells 5
field a = 1, b = 0
a' = -2*a + b
b' = 2*a - b
over t = 0 .. 1
exact a = 1/3 + 2/3*exp(-3*t), b = 2/3 - 2/3*exp(-3*t)
END
cat > heat.rg << 'END'
domain x = 0..1 cells 64
field c = cos(pi*x)
c' = lap(c)
over t = 0 .. .2
exact c = cos(pi*x)*exp(-pi^2*t)
END
errors() { "$REGULA" solve "$@" --quiet --json --no-estimate | grep -oE '"errors": [^}]*}' | grep -oE '[0-9.e-]+[,}]' | tr -d ',}'; }
for tol in 1e-3 1e-4 1e-5; do
    errors react.rg --tol $tol | awk -v tol=$tol '{ print ($1 < 20 * tol && $1 > 0 ? "ok" : $1) }'
done
errors react.rg --scheme implicit | awk '{ print ($1 < 3e-2 ? "ok" : $1) }'
errors heat.rg --scheme implicit | awk '{ print ($1 < 3e-2 ? "ok" : $1) }'
echo "Darcy flow by srm, mixed and penalty"
cat > wells.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 6
solid rock = x > .5 and x < .7 and y > .5
field p
vector u
exp(3*sin(9*x*y))*u = -grad(p)
div(u) = 0
well a at (.1, .1) rate 1
well b at (.9, .9) pressure 0 radius .01
output q = integral(u[x], x = .5), drop = p(a) - p(b), r = rate(b)
END
for m in srm mixed penalty; do values wells.rg --method $m; done
"$REGULA" solve wells.rg --method penalty --eps 1e-3 --json --quiet --no-estimate | grep -oE '"drift": [^]]*' |
    awk '{ gsub(/[^0-9.e-]/, "", $2); print ($2 + 0 > 1e-5 ? "div u is not q" : $2) }'
"$REGULA" solve cavity.rg --method mixed 2>&1 | head -n 1
echo "rows behind a steady state; the limit of steps"
cavity 1
"$REGULA" solve cavity.rg --quiet --no-estimate --steady .1 --at 1,1.5,2 --csv - | awk -F, 'NR > 2 { print ($2 == old ? "same" : "row"); } { old = $2 }'
"$REGULA" solve cavity.rg --quiet --no-estimate --max_steps 10 2>&1 | grep -v "^  [uv]" | grep max_steps
"$REGULA" solve cavity.rg --quiet --no-estimate --h_max 1e-2 --json | grep -oE '"steps": [0-9]+'
echo "convection and diffusion together: bounded, and a given step that is too long is refused"
cat > front.rg << 'END'
domain x = 0..2 cells 100
field c = 0, p
vector u
u = -grad(p)
div(u) = 0
c' + div(u*c) = .02*lap(c)
boundary u[x](left) = 1, p(right) = 0, c(left) = 1
over t = 0 .. .8
output most = maximum(c), least = minimum(c)
END
for o in tvd upwind; do
    "$REGULA" solve front.rg --quiet --no-estimate --json --transport $o | grep -oE '"(most|least)": [^,}]*' |
        awk '{ print ($2 >= -1e-12 && $2 <= 1 + 1e-12 ? "inside" : $2) }'
done
"$REGULA" solve front.rg --quiet --no-estimate --step .01 2>&1 | grep stable
echo "a given velocity around a ring"
cat > ring.rg << 'END'
domain x = 0..1 cells 16 periodic, y = 0..1 cells 4 periodic
field c = 2 + sin(2*pi*x)
c' + div((1, .5)*c) = .01*lap(c)
over t = 0 .. .5
exact c = 2 + sin(2*pi*(x - t))*exp(-.04*pi^2*t)
output most = maximum(c), total = integral(c)
END
values ring.rg --transport central
errors ring.rg | awk '{ print ($1 < .1 ? "ok" : $1) }'
