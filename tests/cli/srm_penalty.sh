# The penalty of index 3 says what it is; others do not.  Steps of explicit schemes inside the region that is
# predicted for a drift of second order, and outside.
# tol: 1e-3
cp "$EXAMPLES/ivp/pendulum.rg" "$EXAMPLES/ivp/srm-nonlinear.rg" .
for arguments in "pendulum.rg --method penalty" "pendulum.rg --method penalty --E inverse --eps 1e-3 --gamma 30 --scheme radau3" \
    "pendulum.rg --method baumgarte" "pendulum.rg --method srm --variant second-order" "srm-nonlinear.rg --method penalty"; do
    echo "$arguments"
    "$REGULA" solve $arguments --to 1 --step 0.002 --no-estimate 2> /dev/null | grep -E '^note|step 0'
done
"$REGULA" solve pendulum.rg --method penalty --to 1 --report page.html --quiet > /dev/null 2>&1
grep -c 'note: alpha1 = 0' page.html
# damping, then a spring: the limit is that of the damping, or of the frequency
for arguments in "penalty --eps 1e-3 --step 0.0013" "penalty --eps 1e-3 --step 0.0032" "penalty --eps 1e-2 --gamma 1e4 --step 0.0019" \
    "penalty --eps 1e-2 --gamma 1e4 --step 0.0022"; do
    echo "$arguments"
    "$REGULA" solve pendulum.rg --method $arguments --to 1 --no-estimate 2>&1 |
        awk '/^  p  / { p = $0 } /^warning: step/ { print } /^error/ { print "stopped"; p = "" } END { if (p) print p }'
done
