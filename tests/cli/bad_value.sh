cp "$EXAMPLES/ivp/pendulum.rg" .
for words in "--tol abc" "--tol -1" "--tol" "--json=1" "--set m" "--set m=x" "--set =1" "--from x" "--to nan" \
    "--at 0,x" "--at 0,11" "--at ," "--at 1 --points 3" "--points 0" "--points 1" "--points 1e9" "--points nan" \
    "--from 10" "--to 1e999" "--json --csv -" "--max-steps 1.5"; do
    "$REGULA" solve pendulum.rg --quiet $words
    echo "exit $? $words"
done 2>&1
