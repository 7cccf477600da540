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
echo "in space: numbers of cells along the first axis, the others in proportion"
"$REGULA" order "$EXAMPLES/grids/example41.rg" --intervals 8,16,32
"$REGULA" order "$EXAMPLES/grids/taylor-green.rg" --intervals 8,16,32 --json | grep -oE '"(orders|verdict)": [^}]*}'
cat > stretched.rg << 'END'
domain x = 0..1 cells 8 stretch x^2*(3 - 2*x), y = 0..2 cells 4
field s
0 = lap(s) + pi^2*sin(pi*x)
boundary s(left) = 0, s(right) = 0
exact s = sin(pi*x)
END
"$REGULA" order stretched.rg --intervals 8,16,32,64
cat > abc.rg << 'END'
param A = 1, B = .7, C = .4, nu = .05
domain x = 0..2*pi cells 8 periodic, y = 0..2*pi cells 8 periodic, z = 0..2*pi cells 8 periodic
vector u = (A*sin(z) + C*cos(y), B*sin(x) + A*cos(z), C*sin(y) + B*cos(x))
field p
u' + div(u*u) = nu*lap(u) - grad(p)
div(u) = 0
over t = 0 .. .2
exact u = ((A*sin(z) + C*cos(y))*exp(-nu*t), (B*sin(x) + A*cos(z))*exp(-nu*t), (C*sin(y) + B*cos(x))*exp(-nu*t))
END
"$REGULA" order abc.rg --intervals 8,16
"$REGULA" order forced.rg --intervals 8,16
echo "exit $?"
"$REGULA" order abc.rg --intervals 16,8
echo "exit $?"

echo "Darcy flow whose mobility follows a scalar is of first order"
cat > mobility.rg << 'END'
domain x = 0..1 cells 6, y = 0..1 cells 6
field p, c = .5*exp(-20*(x^2 + y^2))
vector u
(1 - .8*c)*u = -grad(p)
div(u) = 0
c' + div(u*c) = .02*lap(c)
well injector at (0, 0) rate 1 with c = 1
well producer at (1, 1) rate -1
over t = 0 .. .1
END
"$REGULA" order mobility.rg --steps .002,.001,.0005 --transport central
echo "exit $?"
