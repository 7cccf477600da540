# A start far from 0: what rounding of the time makes of the errors is no order.
cat >m.rg <<'EOF'
param a = 1000000
var x = 1, z ~ 1
x' = cos(t - a)*x
z = x + z^3/100
exact x = exp(sin(t - a))
over t = 1000000 .. 1000002
EOF
for method in "gauss" "radau --stages 3" "radau --stages 7" "lobatto3c" "sdirk" "rosenbrock"; do
    "$REGULA" order m.rg --method $method > out.txt 2>&1
    echo "$method: exit $?"
    grep -c below out.txt
done
# an order that is too low is still said to be
sed "s/cos(t - a)\*x/cos(t - a)*x + max(0, t - a - 1.013)^1.5 /; /exact/d" m.rg > kink.rg
"$REGULA" order kink.rg --method radau --stages 3 > out.txt 2>&1
echo "kink: exit $?"
grep -c below out.txt
