# A polite kill acts like Ctrl-C: exit 130; the rows until then are in out.csv.part, and a complete file of an earlier run stays.
echo "earlier" > out.csv
"$REGULA" solve "$EXAMPLES/ivp/ringmod.rg" --tol 1e-12 --csv out.csv --json > out.json 2> message &
sleep 0.5
kill -TERM $!
wait $!
status=$?
[ "$(wc -l < out.csv.part)" -gt 10 ] && echo "rows are there"
cat out.csv
grep -o "the rows so far are in 'out.csv.part'" message
grep -o '"status": "failed", "message": "interrupted' out.json
ls
exit $status
