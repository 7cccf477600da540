# An inconsistent start is never integrated.
cp "$EXAMPLES/ivp/pendulum.rg" .
"$REGULA" solve pendulum.rg --set l=2 --csv out.csv
status=$?
ls
exit $status
