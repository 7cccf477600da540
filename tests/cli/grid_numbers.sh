# Memory that check expects of Darcy flow with a carried scalar, where factors of a matrix are kept; and a stretched
# axis whose ends are right to the rounding of the numbers that the user gives, or not.
cat > darcy.rg << 'M'
domain x = 0..1 cells 100, y = 0..1 cells 50
field p, c = 0
vector u
u = -(1 + x)*grad(p)
div(u) = 0
c' + div(u*c) = 0
boundary p(left) = 1
boundary p(right) = 0
over t = 0 .. 1
M
"$REGULA" check darcy.rg | grep '^memory'
for miss in 1e-10 1e-8; do
    cat > stretched.rg << M
domain x = 0..1 cells 8 stretch x^2*(1 + $miss)
field c = 1
c' = lap(c)
over t = 0 .. 1
M
    "$REGULA" check stretched.rg > /dev/null 2> told
    echo "$miss: exit $? $(grep -o 'error: .*' told)"
done
