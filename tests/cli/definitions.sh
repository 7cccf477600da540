# Methods that need q' = v refuse what is not q' = v in any units, at all times and speeds; they took it for q' = v.
# Linearity is looked at at all times too.
model() { # equations of p' and q'
    cat >m.rg <<END
var p = 1, q ~ 0, v ~ 0, w = 1, l ~ 1
$1
$2
v' = -p*l
w' = -q*l
p^2 + q^2 = 1
over t = 0 .. 3
END
}
try() {
    for method in half-explicit "extrapolation --scheme midpoint" "lobatto-pair --step 0.01" baumgarte srm; do
        "$REGULA" solve m.rg --method $method --quiet >out 2>err
        echo "$method: exit $?, $(head -n 1 err)"
    done
}
echo "the factor 2, in small equations"
model "1e-15*p' = 2e-15*v" "1e-15*q' = 2e-15*w"
try
echo "a factor behind t = 1"
model "p' = v*max(1, t)" "q' = w*max(1, t)"
try
echo "a speed that is added behind t = 1"
model "p' = v" "q' = w + max(0, t - 1)^2"
try
echo "a factor of high speeds"
model "p' = v*max(1, abs(v)/100)" "q' = w"
try
echo "q' = v in small equations"
model "1e-15*p' = 1e-15*v" "3e-12*(q' - w) = 0"
try
echo "a nonlinear term behind t = 1"
cat >m.rg <<END
var x = 0, y = 1, z ~ 1
x' = z + max(0, t - 1)*z^3
y' = -y + z*x
0 = x - sin(t) - cos(2*t)/4 + 1/4
over t = 0 .. 3
END
for method in half-explicit "half-explicit --step 0.01" srm; do
    "$REGULA" solve m.rg --method $method --quiet --at 3 --csv - | awk -F, -v method="$method" '
        NR == 2 { printf "%s: %.5f, %.5f\n", method, $3, $4 }'
done
for method in "extrapolation --scheme midpoint" baumgarte post-stabilization; do
    "$REGULA" solve m.rg --method $method --quiet >out 2>err
    echo "$method: exit $?, $(head -n 1 err)"
done
