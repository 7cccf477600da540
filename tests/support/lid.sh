# lid FILE CELLS VISCOSITY END OUTPUTS: a model of flow in a square under a lid that moves.
lid() {
    cat > "$1" << END
domain x = 0..1 cells $2, y = 0..1 cells $2
vector u = (0, 0)
field p
u' + div(u*u) = $3*lap(u) - grad(p)
div(u) = 0
boundary u(top) = (1, 0)
over t = 0 .. $4
output $5
END
}
