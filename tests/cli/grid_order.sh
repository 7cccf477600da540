# Observed orders in time on a grid: cn and heun 2, euler 1, ssprk3 3; fields, not their elements.
# tol: 2e-2
# floor: 1e-9
cat > forced.rg << 'END'
domain x = 0..1 cells 6, y = 0..1 cells 6
vector u = (0, 0)
field p
u' + div(u*u) = .05*lap(u) - grad(p) + (y*sin(3*t), x*cos(2*t))
div(u) = 0
over t = 0 .. 1
END
for scheme in cn euler heun ssprk3; do
    "$REGULA" order forced.rg --scheme $scheme --steps .05,.025,.0125
done
"$REGULA" order forced.rg --method radau --steps .05,.025
echo "exit $?"
