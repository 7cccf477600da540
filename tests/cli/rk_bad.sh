cp "$EXAMPLES/ivp/pendulum.rg" m.rg
for words in "half-explicit --order 7" "extrapolation --scheme euler" "extrapolation --scheme seulex --order 9" \
    "lobatto-pair --stages 6 --step 0.1" "lobatto-pair" "gauss --stages 8" "gauss --step 3" "lobatto-pair --step 0.5" \
    "rosenbrock --scheme ros3" "dopri" "gauss --projected on --step 0.1" "sdirk --projected on"; do
    "$REGULA" solve m.rg --method $words --quiet
    echo "exit $?"
done
