# Four diodes without a leak: where all of them block, nothing holds the two nodes between them, and the message names
# these, in both forms; with leaks of 1e-9 the bridge is solved.
bridge() {
    cat > bridge.rg << END
param Is = 1e-14, Vt = 0.02585, R = 1000, C = 1e-4, leak = $1
var a, b, $2
fun D(v) = Is*(exp(v/Vt) - 1) + leak*v
$3
END
    "$REGULA" solve bridge.rg --quiet 2>&1 | grep -o 'hardly determine.*here'
    return "${PIPESTATUS[0]}"
}
grounded="a - b = 10*sin(2*pi*50*t)
i = D(a - d) - D(-a)
-i = D(b - d) - D(-b)
C*d' = D(a - d) + D(b - d) - d/R
over t = 0 .. 0.04"
floating="a - b + i = 10*sin(2*pi*50*t)
i = D(a - p) - D(n - a)
-i = D(b - p) - D(n - b)
C*vc' = D(a - p) + D(b - p) - vc/R
n = 0
vc = p - n
over t = 0 .. 0.04"
for leak in 0 1e-9; do
    bridge $leak "d = 0, i" "$grounded"
    echo "grounded: $?"
    bridge $leak "p, n, vc = 0, i" "$floating"
    echo "floating: $?"
done
