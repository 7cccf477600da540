cp "$EXAMPLES/ivp/pendulum.rg" m.rg
for words in "half-explicit --order 7" "extrapolation --scheme euler" "extrapolation --scheme seulex --order 9" \
    "lobatto-pair --stages 6 --step 0.1" "lobatto-pair" "gauss --stages 8" "gauss --step 3" "lobatto-pair --step 0.5" \
    "rosenbrock --scheme ros3" "dopri" "gauss --projected on --step 0.1" "sdirk --projected on"; do
    "$REGULA" solve m.rg --method $words --quiet
    echo "exit $?"
done
# remedies that fit the model: index 1 by rank, no constraints, no error estimate
cat >rank.rg <<'EOF'
var x = 1, y = 1
x' + y' = -y
2*x' + (1 + x/y)*y' = -x - y
over t = 0 .. 1
EOF
cat >free.rg <<'EOF'
var x = 1
x' = -x
over t = 0 .. 1
EOF
for words in "rank.rg --method extrapolation" "rank.rg --method rosenbrock" "free.rg --method extrapolation --scheme midpoint" \
    "free.rg --method extrapolation --order 1"; do
    "$REGULA" solve $words --quiet
    echo "exit $?"
done
"$REGULA" solve free.rg --method extrapolation --order 1 --step 0.01 --quiet
echo "exit $?"
"$REGULA" solve rank.rg --method radau --quiet
echo "exit $?"
