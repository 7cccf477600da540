# force(x) is the constraint term as it is added to x': B*y = cos(t), also at t = 1/2, where y is infinite.
# tol: 1e-5
"$REGULA" solve "$EXAMPLES/srm/srm-singular.rg" --at 0,0.25,0.5,1 --csv - --quiet | cut -d, -f1,2,3,7,8
"$REGULA" solve "$EXAMPLES/srm/srm-singular.rg" --json --no-estimate | sed 's/.*"singular": \(.*\), "warnings".*/\1/'
# With error control forces are as good as x, at every step and row, and the estimate covers them.
"$REGULA" solve "$EXAMPLES/srm/srm-two-zeros.rg" --tol 1e-8 --csv steps.csv --json | sed 's/.*"estimate": \([^,]*\),.*/\1/' > estimate
"$REGULA" solve "$EXAMPLES/srm/srm-two-zeros.rg" --tol 1e-8 --points 101 --csv rows.csv --quiet
awk -F, 'function off(x) { return x < 0 ? -x : x }
    FNR > 1 { e = off($10) + off($11 - cos($1)) + off($12 + sin($1)); if (e > worst) worst = e }
    END { print (worst < 1e-8 ? "forces ok" : "forces off by " worst) }' steps.csv rows.csv
awk '{ print ($1 < 1e-7 ? "estimate ok" : "estimate " $1) }' estimate
