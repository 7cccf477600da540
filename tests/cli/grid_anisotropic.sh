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
# A well with a pressure where the mobilities differ: the expanded equations have the same rate.
cat > well.rg << 'END'
domain x = 0..1 cells 5, y = 0..2 cells 7
field p, c = 0
vector u
u = -(1, .3 + c)*grad(p)
div(u) = 0
c' + div(u*c) = .1*lap(c)
well a at (.3, .5) pressure 1 radius .01 with c = 1
boundary p(right) = 0
over t = 0 .. .1
output rate = rate(a), cell = p(a)
END
for method in "srm --step 1e-4" "radau --tol 1e-6"; do
    "$REGULA" solve well.rg --json --no-estimate --transport upwind --method $method | grep -oE '"values": [^}]*' |
        awk -F'[:,]' '{ printf "%.3f %.3f\n", $3, $5 }'
done
