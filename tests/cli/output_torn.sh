# An output with a switch that the solution moves along has the value of one side by chance: it is told, and the
# estimate covers it, also where one row alone is written.  As an unknown it has the value between them.
cat > m.rg << 'M'
var v = 1, x = 0
x' = v
v' = -sign(v) + 0.5*sin(t)
over t = 0 .. 5
M
(cat m.rg; echo "output x, F = sign(v)") > output.rg
(sed "s/x = 0/&, F/; s/-sign(v)/-F/" m.rg; echo "F = sign(v)"; echo "output x, F, rough = 1e4*v") > unknown.rg
for points in 2 6; do
    "$REGULA" solve output.rg --points $points --csv o.csv 2>&1 |
        awk '/^warning/ || /^estimated/' | sed 's/run: [0-9.e+-]*/run: .../; s/near t = [0-9.]*/near t = .../' |
        grep -v Filippov
done
"$REGULA" solve unknown.rg --points 6 --csv - 2>&1 | awk -F, '/^[0-9]/ { print $1, $3 } /contains/'
awk 'BEGIN { print 0.5*sin(2), 0.5*sin(3), 0.5*sin(4), 0.5*sin(5) }'
