# -q, -v, -o FILE and -V are short forms; the ending of FILE says what is written.
"$REGULA" example pendulum > p.rg
"$REGULA" solve p.rg --to 1 --points 3 -q -o out.csv
head -n 1 out.csv
"$REGULA" solve p.rg --to 1 --points 2 -q -o - | head -n 1
"$REGULA" check p.rg -v 2>&1 | head -n 1
"$REGULA" solve p.rg -o out.txt; echo "exit $?"
"$REGULA" solve p.rg -o; echo "exit $?"
[ "$("$REGULA" -V)" = "$("$REGULA" --version)" ] && echo "-V is --version"
