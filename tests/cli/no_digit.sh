# A run whose estimate is as large as the solution says so in words; a good one does not.
for method in "srm --window 0 --accept-doubt" radau; do
    "$REGULA" solve "$EXAMPLES/singular/four-bar.rg" --method $method --tol 1e-6 | grep -c '^warning: .*not one digit'
done
