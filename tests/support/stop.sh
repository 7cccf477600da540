# stopped SIGNAL: what a run leaves that is stopped by it, then its exit status.
stopped() {
    local status
    echo "earlier" > out.csv
    "$REGULA" solve "$EXAMPLES/ivp/ringmod.rg" --tol 1e-12 --csv out.csv --json > out.json 2> message &
    sleep 0.5
    kill -"$1" $!
    wait $!
    status=$?
    [ "$(wc -l < out.csv.part)" -gt 10 ] && echo "rows are there"
    cat out.csv
    grep -o "the rows so far are in 'out.csv.part'" message
    grep -o '"status": "failed", "message": "interrupted' out.json
    echo "the time stands there $(grep -o ' t = ' message | wc -l) time(s)"
    ls
    return $status
}
