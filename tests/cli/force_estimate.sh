# Forces of constraints are columns as others: within 10 estimates of their exact values; 0 where no multiplier acts.
cat > look.py << 'END'
import csv, json, math, sys
rows = list(csv.DictReader(open("o.csv", encoding="utf-8")))
estimate = json.load(open("o.json", encoding="utf-8"))["estimate"]
worst = 0
for row in rows:
    t = float(row["t"])
    exact = 10*math.cos(10*t) + (1 - math.cos(10*t))/5/2e-3
    worst = max(worst, abs(float(row["force(v)"]) - exact)/(1 + abs(exact)))
print(sys.argv[1:], "within 10 estimates" if worst <= 10*estimate else f"{worst} for {estimate}")
END
for method in radau sdirk lobatto3c rosenbrock; do
    for tol in 1e-4 1e-6 1e-8; do
        "$REGULA" solve "$EXAMPLES/ivp/lc-circuit.rg" --method $method --tol $tol --points 21 --csv o.csv --json > o.json
        python3 look.py $method $tol
    done
done
"$REGULA" solve "$EXAMPLES/singular/stiff.rg" --method rosenbrock --tol 1e-4 --points 21 --csv o.csv > out
cut -d, -f11 o.csv | sort -u
grep -c warning out
# Sequential regularization, too.
cat > look.py << 'END'
import csv, json, math
rows = list(csv.DictReader(open("o.csv", encoding="utf-8")))
estimate = json.load(open("o.json", encoding="utf-8"))["estimate"]
worst = max(abs(float(r["force(x2)"]) - math.cos(float(r["t"])))/(1 + abs(math.cos(float(r["t"])))) for r in rows)
print("srm", "within 10 estimates" if worst <= 10*estimate else f"{worst} for {estimate}")
END
for tol in 1e-3 1e-5 1e-7; do
    "$REGULA" solve "$EXAMPLES/srm/srm-two-zeros.rg" --tol $tol --points 21 --csv o.csv --json > o.json
    python3 look.py
done
# A row that meets a switch of time in f: the force is that of the multiplier in the row, -lam*x.
cat > meets.rg << 'END'
var x = 1, y = 0, u = 0, v = 0.3, lam
x' = u
y' = v
u' = -lam*x + if(t > 0.5, 2, 0)
v' = -lam*y - 1
x^2 + y^2 = 1
over t = 0 .. 1
END
for method in radau sdirk rosenbrock; do
    "$REGULA" solve meets.rg --method $method --points 5 --csv o.csv --quiet
    awk -F, -v m=$method 'NR > 1 && ($7 + $6*$2)^2 + ($8 + $6*$3)^2 < 1e-12 { n++ } END { print m, n, "rows" }' o.csv
done
