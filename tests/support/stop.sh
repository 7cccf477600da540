# begin_long FILE OPTIONS: a run that takes minutes, in the background, until it has written some rows to FILE.part-PID-N.
begin_long() {
    local file=$1
    shift
    sed 's/^over .*/over t = 0 .. 1/' "$EXAMPLES/ivp/ringmod.rg" > long.rg
    "$REGULA" solve long.rg --tol 1e-12 --csv "$file" "$@" 2> message &
    for _ in $(seq 600); do
        [ "$(cat "$file".part-* 2> /dev/null | wc -l)" -gt 10 ] && break
        sleep 0.05
    done
    rm long.rg
}

# stopped SIGNAL: what a run leaves that is stopped by it, then its exit status.
stopped() {
    local status
    echo "earlier" > out.csv
    begin_long out.csv --json > out.json
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
