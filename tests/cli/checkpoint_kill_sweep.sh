# A sweep that is killed and resumed has the table of one that was not: see tests/support/kill.sh.
. "$(dirname "$0")/../support/kill.sh"
"$REGULA" example pendulum > pendulum.rg
sweep=(sweep pendulum.rg --over g=9..10:40 --to 6 -q --csv)
begin=$(date +%s%N)
"$REGULA" "${sweep[@]}" whole.csv
length=$((($(date +%s%N) - begin) / 1000000 + 5))
k=0
while [ $k -lt $kills ]; do
    "$REGULA" "${sweep[@]}" s.csv --resume 2> message &
    wait=$((length * RANDOM / 32768 / 2))
    sleep "$(printf '%d.%03d' $((wait / 1000)) $((wait % 1000)))"
    kill -KILL $! 2> /dev/null && k=$((k + 1))
    wait $! 2> /dev/null
    [ ! -f s.csv.part ] || [ -z "$(tail -c 1 s.csv.part)" ] || echo "a torn line"
    [ ! -f s.csv ] || { cmp s.csv whole.csv; rm s.csv; }
done
"$REGULA" "${sweep[@]}" s.csv --resume && cmp s.csv whole.csv && echo "the sweep survives"
