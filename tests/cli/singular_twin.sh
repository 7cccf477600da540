# A long run near the critical energy: the second run, with a third of the tolerance, takes another way through singular positions.
cp "$EXAMPLES/../tests/singular/wire-hill.rg" .
"$REGULA" solve wire-hill.rg --set e=1e-3 --to 200 --tol 1e-4 --quiet 2>&1 | sed 's/[0-9]* singular positions were passed, but [0-9]*/N singular positions were passed, but M/'
"$REGULA" solve wire-hill.rg --set e=1e-3 --to 200 --tol 1e-4 > summary.txt 2> /dev/null
echo "exit $?"
grep -c '^  q1' summary.txt
"$REGULA" solve wire-hill.rg --set e=1e-3 --to 200 --tol 1e-4 --accept-doubt > summary.txt 2>&1
echo "exit $?"
grep -c '^warning: .* singular positions were passed' summary.txt
"$REGULA" solve wire-hill.rg --set e=1e-3 --to 20 --tol 1e-4 --quiet
echo "exit $?"
