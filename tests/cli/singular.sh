# tol: 1e-4
# A place that is passed, in both reports; a doubt, with exit 1 and what was computed; the same accepted.
cp "$EXAMPLES/singular/curved-cross.rg" .
"$REGULA" solve curved-cross.rg --to 3 --quiet --json --tol 1e-8 | sed -e 's/"drift".*"singular"/"drift": N, "singular"/' -e 's/"estimate".*/.../'
"$REGULA" solve curved-cross.rg --to 3 --tol 1e-8 --no-estimate | grep -A1 passed
cp "$EXAMPLES/../tests/singular/arrives-at-rest.rg" .
"$REGULA" solve arrives-at-rest.rg --tol 1e-6 --quiet
echo "exit $?"
"$REGULA" solve arrives-at-rest.rg --tol 1e-6 --quiet --accept-doubt
echo "exit $?"
