# force(x) is the constraint term as it is added to x': B*y = cos(t), also at t = 1/2, where y is infinite.
# tol: 1e-5
"$REGULA" solve "$EXAMPLES/srm/srm-singular.rg" --at 0,0.25,0.5,1 --csv - --quiet | cut -d, -f1,2,3,7,8
"$REGULA" solve "$EXAMPLES/srm/srm-singular.rg" --json --no-estimate | sed 's/.*"singular": \(.*\), "warnings".*/\1/'
