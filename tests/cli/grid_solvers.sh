# Every solver of linear systems gives the same fields. The shift of closed flow is next to nothing beside its matrix:
# multigrid and aggregation divided rounding by it and failed on three of these models.
# tol: 1e-8
# floor: 1e-13
run() { # NAME OPTION...
    local name=$1 solver
    shift
    echo "$name"
    for solver in multigrid aggregation direct; do
        "$REGULA" solve "$EXAMPLES/grids/$name.rg" --no-estimate --json --solver $solver "$@" |
            grep -oE '"status": "[a-z]*"|"values": [^}]*' | tr '\n' ' '
        echo
    done
}
run example41 --set N=16 --to .02
run cavity --set N=16 --to .1
run taylor-green --set N=16 --to .1
run taylor-green-3d --set N=8 --to .1
run five-spot --set N=8 --to .05
run buoyant --set N=12 --to .005
cat > block.rg << 'END'
domain x = 0..1 cells 16 periodic, y = 0..1 cells 16
solid block = abs(x - .5) < .2 and abs(y - .5) < .2
vector u = (1, 0)
field p
u' + div(u*u) = .01*lap(u) - grad(p) + (1, 0)
div(u) = 0
boundary u(top) = slip
over t = 0 .. .1
output e = integral(dot(u, u)), p = p(.25, .5) - p(.75, .5)
END
for solver in aggregation direct; do
    "$REGULA" solve block.rg --no-estimate --json --solver $solver | grep -oE '"values": [^}]*'
done
# a guess much larger than the solution leaves its rounding in the first residual: iterations begin again (they failed)
cat > guess.rg << 'END'
domain x = 0..0.5 cells 24, y = -1..1 cells 10
vector u = (0, 0)
field p
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
boundary u(left) = (-1e-3*(1 - y)^2, 0), u(right) = (-1e-3*(1 - y)^2, 0), p(top) = 1e4*(1 + .17*sin(3*t))
over t = 0 .. .05
output least = minimum(u[x])
END
for solver in multigrid aggregation direct; do
    "$REGULA" solve guess.rg --no-estimate --json --solver $solver | grep -oE '"values": [^}]*'
done
