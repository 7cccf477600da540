# The table of a sweep: no thread, no kill, no task changes a byte of it; nothing is computed twice or lost.
"$REGULA" example pendulum > p.rg
words=(sweep p.rg --over g=5..15:20 --over m=0.5..2:3 --to 2 --quiet)
sweep() { "$REGULA" "${words[@]}" "$@"; }
sweep --csv a.csv --jobs 1
sweep --csv b.csv --jobs 3 && cmp a.csv b.csv && echo "the same by three threads"
for pause in 0.02 0.05 0.03 0.08 0.04 0.06 0.1 0.02 0.07 0.05; do
    "$REGULA" "${words[@]}" --csv k.csv --resume &
    victim=$!
    sleep $pause
    kill -9 $victim 2> /dev/null
    wait $victim 2> /dev/null
done 2> /dev/null
sweep --csv k.csv --resume && cmp a.csv k.csv && echo "the same after kills"
head -c 1000 a.csv > t.csv.part
sweep --csv t.csv --resume && cmp a.csv t.csv && echo "a torn line is left out"
sed '5d;30,40d' a.csv > h.csv
sweep --csv h.csv --resume && cmp a.csv h.csv && echo "what is missing is computed"
cp a.csv d.csv
sed -i 's/^7,\([^,]*\),\([^,]*\),ok,[^,]*/7,\1,\2,ok,77/' d.csv
sweep --csv d.csv --resume && grep -c '^7,.*,ok,77,' d.csv
for i in 1 2 3; do sweep --task $i/3 --csv part$i.csv; done
"$REGULA" gather part*.csv --csv all.csv --runs 60 && cmp a.csv all.csv && echo "gathered"
"$REGULA" gather part1.csv part3.csv --csv all.csv; echo "exit $?"
"$REGULA" gather part1.csv part2.csv part1.csv --csv all.csv; echo "exit $?"
"$REGULA" gather part1.csv part2.csv part3.csv --runs 61 --csv all.csv; echo "exit $?"
"$REGULA" gather part1.csv part2.csv part3.csv --csv part1.csv; echo "exit $?"
"$REGULA" gather part1.csv p.rg --csv all.csv; echo "exit $?"
cmp a.csv all.csv && echo "and left alone"
"$REGULA" sweep p.rg --over g=5..15:21 --over m=0.5..2:3 --csv a.csv --resume; echo "exit $?"
"$REGULA" sweep p.rg --over g=5..15:21 --csv a.csv --resume; echo "exit $?"
cmp a.csv b.csv && echo "and left alone"
"$REGULA" "${words[@]}" --jobs 1 --tol 1e-10 --csv w.csv & # long enough for a second one
first=$!
while [ ! -e w.csv.part ] && [ ! -e w.csv ]; do sleep 0.01; done
sweep --csv w.csv; echo "exit $?"
wait $first
[ "$(wc -l < w.csv)" = 61 ] && echo "the first one is whole"
ls
