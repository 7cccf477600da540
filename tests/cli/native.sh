# tol: 1e-9
# --native: the same results; a missing compiler is no error; nothing is left behind.
mkdir tmp
export TMPDIR=$PWD/tmp
for mode in off auto on; do
    "$REGULA" solve "$EXAMPLES/ivp/lc-circuit.rg" --native $mode --points 3 --csv - --quiet > $mode.csv || echo "exit $?"
done
cut -d, -f1-4 on.csv
cmp off.csv auto.csv
"$REGULA" solve "$EXAMPLES/ivp/lc-circuit.rg" --native maybe
echo "exit $?"
unset CC
PATH= "$REGULA" solve "$EXAMPLES/ivp/lc-circuit.rg" --native on --points 3 --csv out.csv > out
echo "exit $?"
cmp off.csv out.csv
grep -i warning out
for mode in auto on; do
    TMPDIR=/nonexistent "$REGULA" solve "$EXAMPLES/ivp/lc-circuit.rg" --native $mode --points 3 --csv out.csv --quiet
    echo "exit $?"
    cmp off.csv out.csv
done
CC=false "$REGULA" solve "$EXAMPLES/ivp/lc-circuit.rg" --native on --json | grep -o '"warnings": .*"\]'
ls tmp
