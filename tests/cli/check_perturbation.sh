# The perturbation index where it is larger: the example of the Runge-Kutta notes after (1.14); not where a row is
# b_y(y) y', where one factor is a differential unknown, or for mass matrices.
model() { printf 'var y1 = 0, y2, y3\n%s\n%s\n%s\nover t = 0 .. 1\n' "$1" "$2" "$3" > m.rg; }
model "y1' - y3*y2' + y2*y3' = 0" "0 = y2 - sin(t)" "0 = y3 - cos(t)"
"$REGULA" check m.rg | grep -A1 '^index'
"$REGULA" check m.rg --json | grep -o '"index[^,]*,[^,]*,'
model "y1' + y3*y2' + y2*y3' = 0" "0 = y2 - sin(t)" "0 = y3 - cos(t)"
"$REGULA" check m.rg | grep -A1 '^index'
model "y1' = y1*y2'" "0 = y2 - sin(t)" "0 = y3 - y1"
"$REGULA" check m.rg | grep -A1 '^index'
printf "var q = 1, u = 0, z\nq' = u\n(2 + cos(q))*u' = -q + z\n0 = z + q^3\nover t = 0 .. 1\n" > m.rg
"$REGULA" check m.rg | grep -A1 '^index'
