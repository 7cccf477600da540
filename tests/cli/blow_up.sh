# tol: 1e-2
# The numerics give up: exit 1, and the rows until then are in out.csv.part, as the message says.
echo "var x = 1; x' = x^2; over t = 0 .. 2" > m.rg
"$REGULA" solve m.rg --csv out.csv --json > out.json 2> message
status=$?
tail -n 1 out.csv.part | sed 's/,.*//'
grep -o '"status": "failed"' out.json
grep -o '"t": 1.0000' out.json
grep -c remedy message
grep -o "the rows so far are in 'out.csv.part'" message
ls
exit $status
