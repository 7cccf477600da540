# tol: 1e-7
# floor: 1e-9
# Models with fields, solved with arrays in their place (--method radau).  Cavity, 8 x 8 cells: values of doc/methods/grids.md.
show() { sed -e 's/"seconds": [^,]*, //' -e 's/.*\("unknowns"\)/\1/' -e 's/"steps".*"grid"/"grid"/'; }
"$REGULA" solve "$EXAMPLES/grids/cavity.rg" --set N=8 --to 1 --tol 1e-8 --json --no-estimate --method radau | show
"$REGULA" solve "$EXAMPLES/grids/five-spot.rg" --set N=40 --json --no-estimate --method radau --to .01 > /dev/null
echo "exit $?"
cat > tg.rg << 'END'
param nu = .05, N = 8
domain x = 0..2*pi cells N periodic, y = 0..2*pi cells N periodic
vector u = (sin(x)*cos(y), -cos(x)*sin(y))
field p
u' + div(u*u) = nu*lap(u) - grad(p)
div(u) = 0
over t = 0 .. 1
exact u = (sin(x)*cos(y)*exp(-2*nu*t), -cos(x)*sin(y)*exp(-2*nu*t))
output energy = integral(dot(u, u))/2
END
"$REGULA" solve tg.rg --tol 1e-9 --json --no-estimate --method radau | show
# a steady elliptic equation, exact on the grid: two layers in series
cat > series.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 2
field s
let k = if(x < .5, 1, 4)
0 = div(k*grad(s))
boundary s(left) = 0, s(right) = 1
output middle = s(.5, .25), low = s(.4375, .25)
END
"$REGULA" solve series.rg --json --no-estimate --method radau | show
"$REGULA" expand "$EXAMPLES/grids/cavity.rg" --set N=3
# T_3 + T_4 is rounding at the start: no size of u follows from it, and all of p is determined
"$REGULA" expand "$EXAMPLES/grids/buoyant.rg" --set N=6 > buoyant.rg
"$REGULA" check buoyant.rg > checked
echo "$(grep -c '^warning' checked) warnings"
