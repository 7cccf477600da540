# The end of a table, in time and along an unknown; hidden constraints that need derivatives of tables.
for call in 'l(t)' 'm(t)' 's(t)' 'p(t)' 'm(2*x)' 'l(2*x)'; do
    printf '%s\n' 'table l(x) = (0, 0, 1, 1, 2, 0) linear, m(x) = (0, 0, 1, 1, 2, 0)' \
        'table s(x) = (0, 0, 1, 1, 2, 0) steps, p(x) = (0, 0, 1, 1, 2, 0) smooth' \
        'var x = 0' "x' = 1 + 0.1*$call" 'over t = 0 .. 3' > end.rg
    "$REGULA" solve end.rg --quiet 2>&1 | grep -v '^ .*|'
    sed 's/over t = 0 .. 3/over t = 0 .. 2/; s/2\*x/x\/2/' end.rg > whole.rg
    "$REGULA" solve whole.rg --quiet
    echo "exit $?"
done 2>&1
for kind in steps linear monotone smooth; do
    printf '%s\n' "table s(x) = (0, 0, 1, 1, 2, 0, 4, 1) $kind" 'var x, v' "x' = v" 'x = s(t)' 'over t = 0 .. 4' > two.rg
    printf '%s\n' "table s(x) = (0, 0, 1, 1, 2, 0, 4, 1) $kind" 'var x, v, u' "x' = v" "v' = u" 'x = s(t)' \
        'over t = 0 .. 4' > three.rg
    printf '%s\n' "table s(x) = (0, 0, 1, 1, 2, 0, 4, 1) $kind" 'var x' "x = (s(t))'''" 'over t = 0 .. 4' > prime.rg
    for model in two three prime; do
        "$REGULA" solve $model.rg --quiet
        echo "$kind $model exit $?"
    done
done 2>&1
