# A sweep as a report: outputs over every parameter, statistics, failures; bad input.
cat > m.rg << 'END'
title "Decay & <sum>"
param a = 1, b = 1
var x = 1, y
x' = -a*x
y = b*sqrt(x - 0.2)
over t = 0 .. 1
output x, y
END
cat > look.py << 'END'
import json, re, sys, xml.dom.minidom
text = open(sys.argv[1], encoding="utf-8").read()
xml.dom.minidom.parseString(text)
data = json.loads(re.search(r'id="regula-data">(.*?)</script>', text, re.S).group(1))
print(sorted(data), len(data.get("rows", [])), data["ok"], data["failed"], len(text) < 2e6, "http" in text)
for f in data["figures"]:
    x = f["data"][f["x"]]
    lines = {n: [round(v, 3) if v is not None else None for v in f["data"][n]][:4] for n in f["lines"]}
    print(f["x"], len(x) if len(x) > 9 else x, lines, f.get("logx", False), f.get("scattered", False))
END
"$REGULA" sweep m.rg --over a=1,0.5,0.25 --report a.html --quiet --no-estimate
python3 look.py a.html
echo "---- two parameters, one of them over decades"
"$REGULA" sweep m.rg --over a=0.1,0.2 --over b=0.01,1 --report b.html --quiet --no-estimate
python3 look.py b.html
echo "---- runs that fail"
"$REGULA" sweep m.rg --over a=1,3 --report c.html --quiet --no-estimate
echo "exit $?"
python3 look.py c.html
grep -o 'run 2 failed' c.html
echo "---- many"
"$REGULA" sweep m.rg --over 'a=uniform(0.1,1):3000' --report d.html --quiet --no-estimate
python3 look.py d.html | sed -n 1p
echo "---- standard output, bad files"
"$REGULA" sweep m.rg --over a=1,2 --no-estimate --report - 2> /dev/null | grep -c '^<!DOCTYPE html>\|</html>'
"$REGULA" sweep m.rg --over a=1 --report - --json 2>&1
echo "exit $?"
"$REGULA" sweep m.rg --over a=1 --report none/a.html --quiet --no-estimate 2>&1
echo "exit $?"
