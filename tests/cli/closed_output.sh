# Standard output, messages or input that is closed: no file that is opened gets its number, and what cannot be written
# or read is a failure.
cp "$EXAMPLES/ivp/pendulum.rg" p.rg
tell() {
    echo "exit $?: $*"
}
for what in "solve p.rg" "solve p.rg --json" "solve p.rg --csv -" "solve p.rg --svg -" "solve p.rg --report -" \
    "check p.rg" "compare p.rg --methods radau --csv -" "sweep p.rg --over l=1,2 --csv -" "methods" "--version"; do
    "$REGULA" $what >&- 2> messages
    tell "$what"
    grep -A1 '^error' messages
done
"$REGULA" solve p.rg --csv p.csv --quiet --verbose 2>&- >&-
tell "all closed, into a file"
head -n 1 p.csv
grep -c '^[-0-9.]' p.csv > /dev/null || echo "no rows"
grep -v '^[-0-9.te]' p.csv
"$REGULA" solve - --csv p.csv <&- 2>&1
tell "no input"
ls
