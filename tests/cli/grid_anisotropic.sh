# Darcy's law with a mobility per axis and gravity, written in four ways: the same numbers.
# tol: 1e-9
# floor: 1e-12
printf '1,2\n3,4\n' > kx.csv
printf '2,1\n.5,1\n' > ky.csv
for law in 'u = -(Kx, Ky)*(grad(p) - (0, -1))' '(1/Kx, 1/Ky)*u = -grad(p) + (0, -1)' \
           'u + (Kx, Ky)*grad(p) = -(Kx, Ky)*(0, 1)' 'u = (-Kx, -Ky)*grad(p) - (0, Ky)'; do
    cat > law.rg << END
domain x = 0..1 cells 8, y = 0..1 cells 6
data Kx = "kx.csv", Ky = "ky.csv"
field p
vector u
$law
div(u) = 1
boundary p(left) = 1, p(right) = 0, p(top) = 0
output right = integral(u[x], right), top = integral(u[y], top), mid = p(.5, .5)
END
    "$REGULA" solve law.rg --json --no-estimate | grep -oE '"values": [^}]*'
done
"$REGULA" solve law.rg --json --method radau | grep -oE '"values": [^}]*'
