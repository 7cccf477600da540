# A folder that cannot be written: refused in one message with a remedy, and nothing is left.
# Root may write everywhere: without its capabilities it may not.
weak() { "$@"; }
[ "$(id -u)" = 0 ] && weak() { setpriv --bounding-set=-all --inh-caps=-all "$@"; }
cp "$EXAMPLES/ivp/pendulum.rg" model.rg
mkdir closed old
"$REGULA" sweep model.rg --over g=9,10 --to 1 --csv old/table.csv -q
"$REGULA" solve model.rg --to 1 --csv old/rows.csv --checkpoint old/check -q
sums=$(cat old/* | cksum)
chmod 555 closed old
weak sh -c 'touch closed/probe 2> /dev/null' && { echo "the folder can be written: nothing is tested"; exit 1; }
try() {
    echo "-- $*"
    weak "$REGULA" "$@" -q
    echo "exit $?"
}
try solve model.rg --csv closed/rows.csv
try solve model.rg --checkpoint closed/check
try solve model.rg --report closed/report.html
try solve model.rg --svg closed/figure.svg
try sweep model.rg --over g=9,10 --csv closed/table.csv
try compare model.rg --methods radau,gauss --csv closed/table.csv
echo "-- an old file stays as it is"
try solve model.rg --to 1 --csv old/rows.csv
try solve model.rg --to 1 --csv old/rows.csv --checkpoint old/check --resume
try sweep model.rg --over g=9,10 --to 1 --csv old/table.csv
weak "$REGULA" gather old/table.csv --csv closed/all.csv
echo "gather: exit $?"
[ "$(cat old/* | cksum)" = "$sums" ] && echo "the same"
ls closed old
