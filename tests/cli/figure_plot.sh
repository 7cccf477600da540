# Figures in the terminal: ASCII in the C locale, braille elsewhere, standard error where standard output is taken.
# tol: 1e-3
cat > m.rg << 'END'
title "Decay λ"
var x = 1, y = 0
x' = -x
y' = 1000*x
over t = 0 .. 5
END
"$REGULA" solve m.rg --plot --quiet
echo "---- braille"
LC_ALL=C.UTF-8 "$REGULA" solve m.rg --plot --quiet --show x
echo "---- CSV and JSON keep standard output"
"$REGULA" solve m.rg --plot --quiet --csv - --points 3 2> err.txt
grep -c 'over t' err.txt
"$REGULA" solve m.rg --plot --json --no-estimate 2> err.txt | python3 -c 'import json, sys; json.load(sys.stdin); print("JSON")'
grep -c 'over t' err.txt
echo "---- a CSV file from anywhere"
printf 'time;a <b> & "c";"x,y"\n0;1;2\n1;nan;3\n2;inf;\n3;4;5\n' > any.csv
"$REGULA" plot any.csv
"$REGULA" plot any.csv --svg any.svg
{ xmllint --noout any.svg || python3 -c 'import xml.dom.minidom as m; m.parse("any.svg")'; } 2> /dev/null
grep -o '>[^<]*not finite[^<]*<' any.svg
echo "---- both at once, and the figure on standard output"
"$REGULA" plot any.csv --svg both.svg --plot | head -n 1
cmp any.svg both.svg && echo same
"$REGULA" plot any.csv --svg - --plot 2> err.txt | cmp - any.svg && grep -c 'over time' err.txt
printf '1\t5\n2\t6\n' | "$REGULA" plot - --show "column 2" | head -n 3
echo "---- refusals"
printf 't,x\nyes,1\n' > a.csv
printf 't\n1\n' > b.csv
: > c.csv
printf 't,x\n1,2,3\n' > d.csv
for file in a.csv b.csv c.csv d.csv none.csv; do
    "$REGULA" plot $file 2>&1
    echo "exit $?"
done
"$REGULA" plot any.csv --svg none/a.svg 2>&1
echo "exit $?"
for flags in "--tol 1e-3" "--report a.html" "--points 3"; do
    "$REGULA" plot any.csv $flags 2>&1
    echo "exit $?"
done
"$REGULA" plot 2>&1
echo "exit $?"
"$REGULA" plot any.csv > /dev/full
echo "exit $?"
echo "---- what cannot be drawn is no result"
for flags in "--show z" "--log q" "--show x:z --json"; do
    "$REGULA" solve m.rg --plot --quiet --no-estimate $flags 2>&1 > /dev/null
    echo "exit $?"
done
