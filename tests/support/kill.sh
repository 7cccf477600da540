# For tests of checkpoints: runs that are killed (SIGKILL) at random times and resumed have the result of a run that was
# not, to the last bit.  10 kills, with TEST_ALL=yes 200, over all cases of tests/cli/checkpoint_kill*.sh.
RANDOM=20
kills=1
[ -n "$TEST_ALL" ] && kills=12

# without_seconds FILE: the JSON of a run but for the time that it took
without_seconds() {
    sed 's/"seconds": [^,}]*//' "$1"
}

# agrees NAME: the run that was killed has what the other one has
agrees() {
    [ "$(without_seconds run/json)" = "$(without_seconds reference/json)" ] || { echo "$1: the JSON differs"; return 1; }
    cmp -s run/o.csv reference/o.csv || { echo "$1: the CSV differs"; return 1; }
}

# survives NAME ARGUMENTS OF REGULA ...
survives() {
    local name=$1 begin end wait status k=0 bad=0
    shift
    rm -rf run reference
    mkdir run reference
    begin=$(date +%s%N)
    (cd reference && "$REGULA" "$@" --json --csv o.csv --checkpoint c --checkpoint-every 0 > json) || echo "$name: exit $?"
    end=$(date +%s%N)
    while [ $k -lt $kills ] && [ $bad -eq 0 ]; do
        wait=$(((end - begin) / 1000000 * RANDOM / 32768 / 2 + 1))
        (cd run && timeout -s KILL "$(printf '%d.%03d' $((wait / 1000)) $((wait % 1000)))" \
            "$REGULA" "$@" --json --csv o.csv --checkpoint c --checkpoint-every 0 --resume > json 2> message) 2> /dev/null
        status=$?
        case $status in
        137) k=$((k + 1)) ;;
        0) agrees "$name" || bad=1; rm -f run/* ;; # it was faster: once more from the start
        *) echo "$name: exit $status"; cat run/message; bad=1 ;;
        esac
    done
    [ $bad -eq 1 ] && return
    (cd run && "$REGULA" "$@" --json --csv o.csv --checkpoint c --checkpoint-every 0 --resume > json) || echo "$name: exit $?"
    agrees "$name" || return
    (cd run && "$REGULA" "$@" --json --csv o.csv --checkpoint c --resume > json) || echo "$name, finished: exit $?"
    agrees "$name, finished" && echo "$name survives"
}
