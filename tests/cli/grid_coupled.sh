# Fields that determine each other without time derivatives: two elliptic equations, and Darcy flow that carries what
# drives it; the grid agrees with its expansion.  Beside an equation with a time derivative they are solved in both
# stages of a step, which keeps second order.  A coupling that is too strong is told.
# tol: 1e-7
# floor: 1e-9
cat > pair.rg << 'END'
domain x = 0..1 cells 10, y = 0..1 cells 8
field a, b
0 = lap(a) + b + 1
0 = lap(b) - 3*a
boundary a(left) = 0, a(right) = 0, b(left) = 0, b(right) = 1
output ma = mean(a), mb = mean(b)
END
cat > plume.rg << 'END'
domain x = 0..1 cells 12, y = 0..1 cells 12
field T, p
vector u
u = -grad(p) + (0, T)
div(u) = 0
div(u*T) = .1*lap(T) + 1
boundary T(left) = 0, T(right) = 1, p(top) = 0
output m = mean(T), most = maximum(norm(u))
END
for f in pair plume; do
    "$REGULA" solve $f.rg --json --no-estimate | grep -oE '"values": [^}]*'
    "$REGULA" solve $f.rg --json --method radau | grep -oE '"values": [^}]*'
done
sed 's/+ b/+ 1e4*b/' pair.rg > strong.rg
"$REGULA" solve strong.rg --no-estimate --quiet 2>&1 | sed 's/by [^ ]* of/by ... of/'
cat > beside.rg << 'END'
domain x = 0..1 cells 10
field c = x, s
c' = 10*s - c
0 = lap(s) + c
boundary s(left) = 0, s(right) = 0
over t = 0 .. 2
output m = mean(c)
END
value() { "$REGULA" solve beside.rg --json --no-estimate "$@" | grep -oE '"m": [^,}]*' | sed 's/.*: //'; }
exact=$(value --method radau --tol 1e-9)
echo "$(value --step .1) $(value --step .05) $exact" |
    awk '{ r = ($1 - $3)/($2 - $3); print (r > 3.5 && r < 4.6 ? "second order" : r) }'
