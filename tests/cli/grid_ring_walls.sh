# Moving walls along periodic axes: what outputs read beyond the wall is the same in every cell of the ring. In the last
# one the speed of the wall was 0: the curl of u = (y, 0), which is -1, had the maximum 2 with 6 cells.
# tol: 1e-9
# floor: 1e-12
cat > flat.rg << 'END_MODEL'
domain x = 0..1 cells 6 periodic, y = 0..1 cells 6
vector u = (y, 0)
field p
u' + div(u*u) = .05*lap(u) - grad(p)
div(u) = 0
boundary u(top) = (1, 0)
over t = 0 .. .01
output a = minimum(curl(u)), b = maximum(curl(u)), c = minimum(dot(u, u), y = 1), d = maximum(dot(u, u), y = 1),
       e = minimum(norm(u), y = .95)
END_MODEL
sed 's/x = 0..1 cells 6 periodic, y = 0..1 cells 6/x = 0..1 cells 6, y = 0..1 cells 6 periodic/
     s/(y, 0)/(0, x)/; s/u(top) = (1, 0)/u(right) = (0, 1)/; s/, y = \([1.]\)/, x = \1/g' flat.rg > turned.rg
cat > space.rg << 'END_MODEL'
domain x = 0..1 cells 4 periodic, y = 0..1 cells 4 periodic, z = 0..1 cells 4
vector u = (z, 2*z, 0)
field p
u' + div(u*u) = .05*lap(u) - grad(p)
div(u) = 0
boundary u(front) = (1, 2, 0)
over t = 0 .. .01
output c = minimum(dot(u, u), z = 1), d = maximum(dot(u, u), front), e = minimum(norm(u), z = .95)
END_MODEL
for model in flat turned space; do
    "$REGULA" solve $model.rg --json --no-estimate --step .01 | grep -oE '"values": [^}]*'
done
