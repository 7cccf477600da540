# Ctrl-C: exit 130, and the rows until then are there.
"$REGULA" solve "$EXAMPLES/ivp/ringmod.rg" --tol 1e-12 --csv out.csv --json > out.json 2> message &
sleep 0.5
kill -INT $!
wait $!
status=$?
[ "$(wc -l < out.csv)" -gt 10 ] && echo "rows are there"
grep -o '"status": "failed", "message": "interrupted' out.json
ls
exit $status
