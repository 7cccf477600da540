# tol: 1e-6
# --checkpoint and --resume: what is refused, and how a run goes on.
"$REGULA" example pendulum > pendulum.rg
try() {
    echo "regula $*"
    "$REGULA" "$@" -q 2> message
    echo "exit $?"
    cat message
}
run="solve pendulum.rg --to 20 --csv o.csv"
try $run --checkpoint c
cp o.csv first.csv
try $run --checkpoint c --resume # finished: its result again
cmp o.csv first.csv
try solve pendulum.rg --to 21 --csv o.csv --checkpoint c --resume
try $run --checkpoint c --resume --rtol 1e-7
try $run --checkpoint c --resume --set m=2
try $run --checkpoint c --resume --method gauss
try $run --checkpoint c --resume --points 10
sed 's/title.*/title "another"/' pendulum.rg > other.rg
try solve other.rg --to 20 --csv o.csv --checkpoint c --resume
head -c 5000 c > short
try $run --checkpoint short --resume
cp c bad
printf 'X' | dd of=bad bs=1 seek=4000 conv=notrunc 2> /dev/null
try $run --checkpoint bad --resume
sed 's/^regula checkpoint 2/regula checkpoint 9/' c > later
try $run --checkpoint later --resume
echo "my notes" > notes
try solve pendulum.rg --checkpoint notes
try solve pendulum.rg --checkpoint notes --resume
try solve pendulum.rg --checkpoint pendulum.rg
try solve pendulum.rg --checkpoint ''
try solve pendulum.rg --resume
try solve pendulum.rg --checkpoint-every 1
try solve pendulum.rg --checkpoint d --checkpoint-every -1
try solve pendulum.rg --checkpoint d --csv -
try solve pendulum.rg --checkpoint d --csv d
try solve pendulum.rg --checkpoint nowhere/d
cat notes
mv o.csv gone.csv
try $run --checkpoint c --resume # its rows have gone
mv gone.csv o.csv

# Two runs with one checkpoint; Ctrl-C, and how to go on.
"$REGULA" solve pendulum.rg --to 20000 --csv long.csv --checkpoint e -q 2> interrupted &
until [ -s e ] && [ -s long.csv.part ]; do sleep 0.05; done
try solve pendulum.rg --to 20000 --csv other.csv --checkpoint e
sleep 0.3
kill -INT $!
wait $!
echo "exit $?"
grep -o "the same command with --resume goes on from 'e'" interrupted
grep -o "the rows so far are in 'long.csv.part'" interrupted
tail -c 1 long.csv.part | od -c | head -1

# A full disk: the checkpoint before stays, and is gone on from.
(ulimit -f 4; exec "$REGULA" solve pendulum.rg --to 20 --checkpoint g --checkpoint-every 0 -q) 2>&1 | cat > message
grep -o "cannot write the checkpoint 'g'" message
"$REGULA" solve pendulum.rg --to 20 --checkpoint g --checkpoint-every 0 --resume --json > resumed.json
"$REGULA" solve pendulum.rg --to 20 --checkpoint h --checkpoint-every 0 --json > whole.json
for f in resumed whole; do sed 's/"seconds": [^,}]*//' $f.json > $f; done
cmp resumed whole && echo "the same result"

ls
