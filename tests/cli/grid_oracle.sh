# The kernels of grids against Radau IIA on the expanded equations: an open side, inflow that is not a parabola.
# tol: 1e-7
# floor: 1e-9
cat > channel.rg << 'END'
domain x = 0..2 cells 16, y = 0..1 cells 8
vector u = (4*y*(1 - y)*(1 + .2*sin(3*y)), 0)
field p
u' + div(u*u) = .05*lap(u) - grad(p)
div(u) = 0
boundary u(left) = (4*y*(1 - y)*(1 + .2*sin(3*y)), 0)
boundary p(right) = 0
over t = 0 .. .5
output a = u[x](1, .4375), b = u[y](1.0625, .5), c = p(.0625, .0625), d = u[x](2, .4375), e = u[x](2, .1)
END
"$REGULA" solve channel.rg --step 1e-3 --no-estimate --at .5 --csv kernels.csv --quiet
"$REGULA" solve channel.rg --method radau --tol 1e-9 --no-estimate --at .5 --csv radau.csv --quiet
cat kernels.csv radau.csv
awk -F, 'FNR == 2 { for (k = 2; k <= NF; k++) if (FILENAME == "radau.csv") { d = $k - v[k]; if (d < 0) d = -d; if (d > m) m = d }
                    else v[k] = $k }
         END { print (m < 2e-7 ? "agree" : "differ by " m) }' kernels.csv radau.csv
