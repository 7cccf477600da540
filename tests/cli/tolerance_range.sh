# What the message says of a tolerance is what is accepted.
cp "$EXAMPLES/ivp/pendulum.rg" p.rg
for value in "--tol 10" "--tol 1" "--rtol 1" "--rtol 0" "--tol 0.999"; do
    "$REGULA" solve p.rg --to 0.01 --quiet --no-estimate $value 2>&1
    echo "exit status $?"
done
