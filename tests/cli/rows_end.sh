# The end of a run does not depend on the rows that are kept before it: not a bit with radau; with methods whose
# rows are side steps, which share the factors of Newton's method with the steps, not above 1e-3 of the tolerance.
values() { grep -o '"values".*"drift"'; }
for model in ivp/fekete ivp/pendulum-index2 ivp/pendulum ivp/caraxis; do
    "$REGULA" solve "$EXAMPLES/$model.rg" --json --no-estimate --native off | values > end
    "$REGULA" solve "$EXAMPLES/$model.rg" --json --no-estimate --native off --csv rows.csv | values > rows
    [ -s end ] && cmp end rows && echo "$model: the same"
done
for model in ivp/caraxis ivp/andrews; do
    options="--method lobatto3c --formulation projected --tol 1e-5 --json --no-estimate --native off"
    "$REGULA" solve "$EXAMPLES/$model.rg" $options | values > end
    "$REGULA" solve "$EXAMPLES/$model.rg" $options --points 201 --csv rows.csv | grep -o '"values".*"points"' > rows
    python3 - "$model" << 'END'
import re, sys
end, rows = (re.findall(r'"([^"]+)": ([-+.e0-9]+)', open(name).read()) for name in ("end", "rows"))
apart = max((abs(float(x) - float(y)) for (_, x), (_, y) in zip(end, rows)), default=1.0)
print(sys.argv[1] + ", lobatto3c:", "the same" if apart <= 1e-8 else f"differs by {apart:g}")
END
done
