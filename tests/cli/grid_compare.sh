# The rivals of sequential regularization on one grid: against the exact solution, and against the expanded equations.
# tol: 1e-2
# floor: 1e-9
# skips: bdf
cat > green.rg << 'END'
param nu = .05, N = 16
domain x = 0..2*pi cells N periodic, y = 0..2*pi cells N periodic
vector u = curl(sin(x)*sin(y))
field p
u' + div(u*u) = nu*lap(u) - grad(p)
div(u) = 0
over t = 0 .. 1
exact u = (sin(x)*cos(y)*exp(-2*nu*t), -cos(x)*sin(y)*exp(-2*nu*t))
END
list=srm,projection,penalty:eps=1e-6,baumgarte:gamma=10,artificial-compressibility:eps=1e-3
"$REGULA" compare green.rg --methods $list --step .02 | sed -E 's/ +[0-9.e-]+$//'
cat > cavity.rg << 'END'
param N = 8
domain x = 0..1 cells N, y = 0..1 cells N
vector u = (0, 0)
field p
u' + div(u*u) = .01*lap(u) - grad(p)
div(u) = 0
boundary u(top) = (1, 0)
over t = 0 .. .5
END
"$REGULA" compare cavity.rg --methods srm,srm:iterations=2,projection --step .01 --json | grep -oE '"(reference|method|errors)": [^,]*|"p": [^}]*'

# bdf on the expanded equations where velocities are 0 along lines of the grid: what rounding leaves of them does not
# keep the sum of all divergences from the value that rounding allows
for cells in ${BDF:+6 10}; do
    for tol in 1e-6 1e-8; do
        for rho in 1 1000; do
            sed "s/^u' + div(u\*u) = nu\*lap(u)/$rho*u' + $rho*div(u*u) = $rho*nu*lap(u)/" green.rg > units.rg
            "$REGULA" solve units.rg --set N=$cells --method bdf --tol $tol --no-estimate --json > out
            echo "bdf, $cells, $tol, $rho: exit $? $(grep -oE '"errors": \{"u": [0-9.]{5}' out)"
        done
    done
done
