# Sequential regularization for boundary values: forces where y is infinite, the place that was passed, what does not fit.
# tol: 1e-8
# floor: 1e-13    (x2(0) = 0 and a force that vanishes)
"$REGULA" solve "$EXAMPLES/srm/srm-boundary.rg" --at 0,0.25,0.5,1 --csv - --quiet | cut -d, -f1,2,3,7,8
"$REGULA" solve "$EXAMPLES/srm/srm-boundary.rg" --json --no-estimate | sed 's/.*"singular": \[{"t": \([^,]*\), \(.*\), "warnings".*/\1 \2/'
for options in "--scheme rk4" "--scheme radau" "--variant multibody" "--E identity" "--continue a=1..2"; do
    echo "# $options"
    "$REGULA" solve "$EXAMPLES/srm/srm-boundary.rg" $options --quiet 2>&1
done
echo "# a large eps"
"$REGULA" solve "$EXAMPLES/srm/srm-boundary.rg" --eps 0.1 --step 0.05 | grep warning
echo "# nonlinear in y"
sed 's/(1 - 2\*t)\*y$/y + y^3/' "$EXAMPLES/srm/srm-boundary.rg" > nonlinear.rg
"$REGULA" solve nonlinear.rg --at 0,0.25,1 --csv - --quiet | cut -d, -f1-4
echo "# an eigenvalue: no solution"
printf '%s\n' "var x1, x2, x3, y" "x1' = x2 - y" "x2' = x3" "x3' = -x2" "0 = x1 - sin(t)" "over t = 0 .. pi" \
    "boundary x2(start) = 0" "boundary x2(end) = 1" "solve method = srm" > eigen.rg
"$REGULA" solve eigen.rg --quiet 2>&1
echo "# index 1"
sed -e 's/^0 = .*/0 = y - x1/' -e 's/^boundary.*/boundary x1(end) = 1; boundary x2(start) = 0/' -e '/^exact/d' "$EXAMPLES/srm/srm-boundary.rg" > one.rg
"$REGULA" solve one.rg --quiet 2>&1
