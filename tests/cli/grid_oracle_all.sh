# Twelve models by the kernels of grids against Radau IIA on their expanded equations: every field at every cell at the
# end. Two runs with fixed steps k and k/2 are extrapolated, which leaves the error of the kernels themselves.
# only: test-all
flow="u' + div(u*u) = nu*lap(u) - grad(p)
div(u) = 0"
say() { # NAME ORDER STEP: the model on standard input; further words: options
    local name=$1 order=$2 step=$3
    shift 3
    cat > "$name.rg"
    "$REGULA" solve "$name.rg" --method radau --tol 1e-9 --no-estimate --quiet --fields r.csv "$@" || return
    "$REGULA" solve "$name.rg" --step "$step" --no-estimate --quiet --fields a.csv "$@" || return
    "$REGULA" solve "$name.rg" --step "$(awk "BEGIN { print $step/2 }")" --no-estimate --quiet --fields b.csv "$@" || return
    paste -d, a.csv b.csv r.csv | awk -F, -v f="$((2 ** order))" -v name="$name" '
        NR > 1 { n = NF/3
            for (k = 1; k <= n; k++) { v = (f*$(n + k) - $k)/(f - 1); d = v - $(2*n + k); if (d < 0) d = -d
                s = $(2*n + k); if (s < 0) s = -s; if (s < 1) s = 1; if (d/s > m) m = d/s } }
        END { if (NR > 1 && m <= 1e-6) print name " agrees"; else print name " differs by " m " in " NR " rows" }'
}
say cavity 2 4e-3 << END
param nu = .02
domain x = 0..1 cells 8, y = 0..1 cells 8
vector u = (0, 0)
field p
$flow
boundary u(top) = (sin(t)^2, 0)
over t = 0 .. .4
END
say channel 2 4e-3 << END
param nu = .05
domain x = 0..2 cells 12, y = 0..1 cells 6
vector u = (4*y*(1 - y), 0)
field p
$flow
boundary u(left) = (4*y*(1 - y)*(1 + .2*sin(t)^2), 0), p(right) = 0
over t = 0 .. .4
END
say periodic 2 4e-3 << END
param nu = .05
domain x = 0..2*pi cells 8 periodic, y = 0..2*pi cells 8 periodic
vector u = curl(sin(x)*sin(y) + .3*cos(2*x + y))
field p
$flow
over t = 0 .. .4
END
say layer 2 4e-3 << END
param nu = .05
domain x = 0..2 cells 8 periodic, y = 0..1 cells 6
vector u = (y, 0)
field p
$flow
boundary u(top) = (1, 0), u(bottom) = slip
over t = 0 .. .4
END
say force 2 4e-3 << END
param nu = .1
domain x = 0..1 cells 6, y = 0..1 cells 6
vector u = (0, 0)
field p
u' + div(u*u) = nu*lap(u) - grad(p) + (y*t, x^2)
div(u) = 0
over t = 0 .. .4
END
say cube 2 1e-2 << END
param nu = .05
domain x = 0..1 cells 6, y = 0..1 cells 6, z = 0..1 cells 6
vector u = (0, 0, 0)
field p
$flow
boundary u(top) = (sin(t)^2, 0, 0)
over t = 0 .. .3
END
say wells 2 5e-4 --transport upwind << END
domain x = 0..1 cells 8, y = 0..1 cells 8
field p, c = 0
vector u
(1 + x)*u = -grad(p)
div(u) = 0
c' + div(u*c) = 0
well in at (0, 0) rate 1 with c = 1
well out at (1, 1) rate -1
over t = 0 .. .1
END
say pressures 2 1e-3 --transport upwind << END
domain x = 0..1 cells 8, y = 0..1 cells 6
field p, c = 0
vector u
u = -(1 + y)*(grad(p) - (0, -.5))
div(u) = 0
c' + div(u*c) = .01*lap(c)
boundary p(left) = 1, p(right) = 0, c(left) = 1
over t = 0 .. .2
END
say rod 2 1e-3 << END
domain x = 0..1 cells 12
field c = sin(pi*x)
(1 + x)*c' = div((1 + x^2)*grad(c)) + x*t
boundary c(left) = t, flux(c, right) = -.5
over t = 0 .. .05
END
say reaction 2 2e-3 << END
domain x = 0..1 cells 6, y = 0..1 cells 6
field a = x, b = 1 - y
a' = .05*lap(a) - a*b
b' = .02*lap(b) - a*b + .1
over t = 0 .. .4
END
say elliptic 1 1 << END
domain x = 0..1 cells 10, y = 0..1 cells 8
field s
0 = div((1 + x*y)*grad(s)) + exp(x)
boundary s(left) = y, flux(s, top) = 1
END
say buoyant 2 2e-3 --transport central << END
param nu = .1
domain x = 0..1 cells 6, y = 0..1 cells 6
vector u = (0, 0)
field p, T = .5 - x
u' + div(u*u) = nu*lap(u) - grad(p) + (0, T)
div(u) = 0
T' + div(u*T) = .1*lap(T)
boundary T(left) = .5, T(right) = -.5
over t = 0 .. .4
END
