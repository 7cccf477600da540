# Signals at random times (while a model is loaded, analysed, stepped through, written): the program ends with 130, or is
# killed; FILE is the old one or the new one and never a torn one, rows so far are whole lines, the JSON object is whole, and
# nothing else is left behind.  20 signals, with TEST_ALL=yes 200.
RANDOM=7
count=20
[ -n "$TEST_ALL" ] && count=200
"$REGULA" example pendulum > pendulum.rg
"$REGULA" solve pendulum.rg --to 100 --csv new.csv --json > /dev/null
begin=$(date +%s%N)
"$REGULA" solve pendulum.rg --to 100 --csv again.csv --json > /dev/null
length=$((($(date +%s%N) - begin) / 1000000 + 5)) # milliseconds
cmp new.csv again.csv
rm again.csv
mkdir tmp
export TMPDIR=$PWD/tmp
signals=(INT TERM HUP KILL)
for k in $(seq $count); do
    echo "an older file" > out.csv
    rm -f out.csv.part*
    "$REGULA" solve pendulum.rg --to 100 --csv out.csv --json > out.json 2> message &
    pid=$!
    wait=$((length * RANDOM / 32768))
    sleep "$(printf '%d.%03d' $((wait / 1000)) $((wait % 1000)))"
    signal=${signals[$((RANDOM % 4))]}
    kill -$signal $pid 2> /dev/null
    wait $pid 2> /dev/null
    status=$?
    case $signal:$status in
    *:0) cmp -s out.csv new.csv || echo "$k, $signal: exit 0 without the new file" ;;
    KILL:137) ;;
    INT:130 | TERM:130 | HUP:130)
        # by the signal itself, behind the end of a run that was done
        cmp -s out.csv new.csv && grep -q '^{.*"status": "ok".*}$' out.json && [ ! -s message ] && continue
        [ "$(grep -c '^{.*"status": "failed".*interrupted.*}$' out.json)" -eq 1 ] || { echo "$k, $signal:"; cat out.json; }
        grep -q '^error: interrupted' message || { echo "$k, $signal:"; cat message; } ;;
    INT:130 | TERM:143 | HUP:129) # before the program was ready, or behind its end
        [ ! -s out.json ] || grep -q '^{.*}$' out.json || echo "$k, $signal: torn output" ;;
    *) echo "$k, $signal: exit $status" ;;
    esac
    cmp -s out.csv new.csv || [ "$(cat out.csv)" = "an older file" ] || echo "$k, $signal: a torn file"
    if [ $signal != KILL ]; then
        [ ! -f out.csv.part ] || [ -z "$(tail -c 1 out.csv.part)" ] || echo "$k, $signal: a torn line"
        [ -z "$(ls | grep part-)" ] || echo "$k, $signal: a private file is left"
        [ -z "$(ls tmp)" ] || echo "$k, $signal: a temporary folder is left"
    fi
done
echo "done"
