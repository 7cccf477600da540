# Vectors with one component: a scalar without derivatives is one, as a force, on the other side of the equation, and as
# a velocity; a field alone still lacks its gradient. The values are exact: u = -1 + integral of f, f = x or 1 + c.
# tol: 1e-9
# floor: 1e-12
values() { "$REGULA" solve "$@" --json --no-estimate | grep -oE '"(values|errors)": [^}]*'; }
cat > force.rg << 'END'
domain x = 0..1 cells 8
vector u
field p
u = -(grad(p) - x)
div(u) = 0
boundary p(left) = 0, p(right) = 1
exact u = -.5, p = x^2/2 + x/2
output u = u[x](.3)
END
values force.rg
sed 's/^u = .*/2*u + 2*grad(p) = 2*x/' force.rg > sides.rg
values sides.rg
sed "s/^field p/field p, c = .5/; s/- x)/- (1 + c)*x)/; s/^exact.*/c' = 0*lap(c)\nover t = 0 .. 1/" force.rg > coupled.rg
values coupled.rg
cat > carried.rg << 'END'
domain x = 0..1 cells 32 periodic
field c = sin(2*pi*x)
c' + dot(2, grad(c)) = lap(c)/20
over t = 0 .. .5
output c = c(.25)
END
sed 's/dot(2, grad(c))/div(u*c)/; s/^over/vector u\nfield p\nu = -grad(p) + 2\ndiv(u) = 0\nover/' carried.rg > darcy.rg
values carried.rg --step .001
values darcy.rg --step .001
sed 's/- x)/- p)/' force.rg > bad.rg
"$REGULA" check bad.rg --quiet
echo "exit $?"
sed "s/dot(2, grad(c))/2*grad(c)/" carried.rg > bad.rg
"$REGULA" check bad.rg --quiet
echo "exit $?"
