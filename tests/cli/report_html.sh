# Reports: one HTML file without anything outside of it, whose data are JSON with the keys of solve --json; bad input.
cat > look.py << 'END'
import json, re, sys, xml.dom.minidom
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    data = json.loads(re.search(r'<script type="application/json" id="regula-data">(.*?)</script>', text, re.S).group(1))
    tree = xml.dom.minidom.parseString(text)
    count = lambda name: len(tree.getElementsByTagName(name))
    print(path, "http" in text, len(text) < 2e6, "math", count("math"), "svg", count("figure"), "h2",
          [h.firstChild.data.split(",")[0] for h in tree.getElementsByTagName("h2")])
    for figure in data["figures"]:
        series = figure.get("data", data.get("series"))
        assert all(len(series[n]) == len(series[figure["x"]]) for n in figure["lines"])
        assert any(e.getAttribute("id") == figure["id"] for e in tree.getElementsByTagName("figure"))
    print(" ", [(f["x"], f["lines"]) for f in data["figures"]])
    if "draw" in data:
        d = data["draw"]
        print("  draw", [(s["kind"], s["count"]) for s in d["shapes"]], len(d["frames"]) == len(d["t"]), d["traces"])
END
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --report a.html --quiet
"$REGULA" check "$EXAMPLES/ivp/pendulum.rg" --report b.html --quiet
"$REGULA" compare "$EXAMPLES/ivp/pendulum.rg" --methods radau,srm:step=1e-2 --to 1 --report c.html --svg c.svg --quiet
"$REGULA" order "$EXAMPLES/../tests/order/rk/order-index2.rg" --method gauss --steps 0.1,0.05 --report d.html --quiet
"$REGULA" solve "$EXAMPLES/bvp/cash-20.rg" --report e.html --quiet
python3 look.py a.html b.html c.html d.html e.html
grep -c '<circle' c.svg
echo "---- keys of solve --json are in the data"
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --json > a.json
python3 -c '
import json, re
a = json.load(open("a.json"))
d = json.loads(re.search(r"regula-data\">(.*?)</script>", open("a.html").read(), re.S).group(1))
print(sorted(set(a) - set(d)), sorted(set(d) - set(a)), d["values"] == a["values"])'
echo "---- names and texts"
cat > names.rg << 'END'
title "</script><b>bold & 'quoted' λ"
param τ = 2
var λ = 1, x_max = 1
λ' = -λ/τ
x_max' = if(x_max > λ, 0, sqrt(abs(λ)))
over t = 0 .. 1
output λ, bad = 1/(t - 0.5), root = sqrt(0.5 - t)
draw line(0, 0, λ, x_max, 1, 1), circle(λ, 0, .1), point(λ, x_max), text(0, 0, "</script> & A"),
     line3(0, 0, 0, λ, x_max, 1)
END
"$REGULA" solve names.rg --points 11 --report f.html --quiet
python3 look.py f.html
grep -o '[a-z]*: [0-9]* of 11 values are not finite' f.html
"$REGULA" solve names.rg --report - --quiet --no-estimate | grep -c 'To repeat it:</p><pre>regula solve names.rg --report - --quiet --no-estimate'
echo "---- typeset"
cat > set.rg << 'END'
param N = 3, c[i=1..3] = (1, 2, 3), tau_1 = 1e-3
var x = 1, x' = 0, y = 2, u[i=1..N] = i
let q[i=1..N] = u[i]/2
fun f(p, k) = p*-k + atan2(p, k)
x'' = -exp(x)^2 - if(x > 0 and y <= 1 or not (t == 1), 1, -1)*x + (x - (y - 1))
(x*y)' = -y^(1/3) - (x/y)^2 - sqrt(x)*tau_1*1e-3^2 - floor(y) + 2*3*x'^2
for i = 1..N { u[i]' = -c[i]*u[i] + sum(j=1..N, u[j] + 1) }
over t = 0 .. 1e-3
END
"$REGULA" check set.rg --report set.html --quiet
cat > math.py << 'END'
import sys, xml.dom.minidom
def text(e):
    if e.nodeType == 3: return e.data.strip()
    parts = [text(c) for c in e.childNodes]
    name = e.tagName
    if name == "mfrac": return f"[{parts[0]} over {parts[1]}]"
    if name == "msup": return f"{parts[0]}^[{parts[1]}]"
    if name == "msub": return f"{parts[0]}_[{parts[1]}]"
    if name == "msqrt": return f"root[{''.join(parts)}]"
    if name == "munderover": return f"{parts[0]}[{parts[1]} to {parts[2]}]"
    if name == "mtr": return " ".join(parts) + ";"
    if name == "mspace": return " "
    return "".join(parts)
for e in xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("math"): print(text(e))
END
python3 math.py set.html
echo "---- the order of blocks"
printf "var a, b, c = 1\na = b + c\nb = 2*c\nc' = -c\nover t = 0 .. 1\n" > order.rg
"$REGULA" check order.rg --report order.html --quiet
grep -o '>line [0-9]<\|rotate([^)]*)\|>[abc]<\|y="[0-9]*"' order.html | paste -sd ' ' | grep -o '"[0-9]*" >line [0-9]'
echo "---- one point, many outputs"
"$REGULA" solve names.rg --at 0.25 --report g.html --quiet
cat > many.rg << 'END'
param N = 520
var u[i=1..N] = i
for i = 1..N { u[i]' = -i*u[i]/N }
over t = 0 .. 1
END
"$REGULA" solve many.rg --report h.html --quiet --no-estimate
python3 look.py g.html h.html | grep -v "^ "
grep -o '[0-9]* more plots' h.html
grep -o '[0-9]* more outputs are not shown' h.html
echo "---- eight phases"
"$REGULA" solve names.rg --svg i.svg --quiet --no-estimate
{ xmllint --noout i.svg || python3 -c 'import xml.dom.minidom as m; m.parse("i.svg")'; } 2> /dev/null
grep -c opacity i.svg
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --svg j.svg --quiet --no-estimate
[ "$(wc -c < j.svg)" -le 8000 ] && echo "at most 8 kB"
echo "---- in a for"
"$REGULA" solve "$EXAMPLES/singular/four-bar.rg" --set N=3 --to 0.2 --report k.html --quiet --no-estimate
python3 look.py k.html | tail -n 1
echo "---- refusals"
for flags in "--report none/a.html" "--report /dev/full"; do
    "$REGULA" solve names.rg $flags --quiet --no-estimate 2>&1
    echo "exit $?"
done
"$REGULA" solve names.rg --report - --quiet --no-estimate > /dev/full
echo "exit $?"
for flags in "--json" "--csv -"; do
    "$REGULA" solve names.rg --report - $flags 2>&1
    echo "exit $?"
done
for shape in 'line(1, 2, 3)' 'circl(1, 2, 3)' 'text(1, 2)' 'point(1, 2, "A")' 'box' 'point(y, 1)' 'line3(1, 2, 3, 4, 5, 6, 7)'; do
    printf 'var x = 1\nx%s = -x\nover t = 0 .. 1\ndraw %s\n' "'" "$shape" > bad.rg
    "$REGULA" check bad.rg --quiet 2>&1
    echo "exit $?"
done
printf 'var x[i=1..3] = 1\nfor i = 1..3 { x[i]%s = -x[i]\n draw point(x[i], if(i > 1, x[i-1], 0)) }\nover t = 0 .. 1\n' "'" > bad.rg
"$REGULA" check bad.rg --quiet 2>&1
echo "exit $?"
echo "---- a run that fails"
printf "title \"Pole\"\nvar x = 1\nx' = x^2\nover t = 0 .. 2\n" > pole.rg
"$REGULA" solve pole.rg --report pole.html --svg pole.svg --quiet --no-estimate 2>&1 | grep -o "(a report of what .*"
ls pole.*
python3 -c '
import json, re
t = open("pole.html.part").read()
d = json.loads(re.search(r"regula-data\">(.*?)</script>", t, re.S).group(1))
print(d["status"], bool(d["message"]), "The run ended early" in t, len(d["series"]["x"]) > 100)'
echo "---- fields"
"$REGULA" solve "$EXAMPLES/grids/cavity.rg" --set N=8 --to 1 --report l.html --quiet --no-estimate
python3 look.py l.html
grep -c 'data:image/png' l.html
echo "---- events"
printf "var h = 1, v = 0\nh' = v\nv' = -9.81\nwhen \"bounce <1>\" h < 0 { v = -0.5*v }\nwhen v < -4 { stop \"fast\" }\nover t = 0 .. 1\n" > ball.rg
"$REGULA" solve ball.rg --report ball.html --quiet --no-estimate
grep -o '<dt>events</dt><dd>[^<]*\|<dt>ended</dt><dd>[^<]*' ball.html
echo "---- fields as equations of index 1: their drift is known at the end only"
cat > f.rg << END
domain x = 0..1 cells 4, y = 0..1 cells 4
field p, c = 0
vector u
u = -grad(p)
div(u) = 0
c' + div(u*c) = div(0.01*grad(c))
well injector at (0, 0) rate 1 with c = 1
well producer at (1, 1) rate -1
over t = 0 .. 0.1
output produced = c(producer)
END
timeout 60 "$REGULA" solve f.rg --method lobatto3c --report f.html --quiet --no-estimate
grep -c 'Step size' f.html
grep -c 'Drift: residual' f.html || true
