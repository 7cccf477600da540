# What other languages write: the form of this one is named.
while read -r line; do
    printf "var x = 1, y = 2\n%s\ny' = 1\nover t = 0 .. 1\n" "$line" > model.rg
    "$REGULA" check model.rg 2>&1 | grep -E 'error|remedy'
done << 'END'
der(x) = -x
diff(x, t) = -x
dx/dt = -x
d/dt(x) = -x
x(t)' = -x(t)
x' = -x(t)
x' = if y > 1 then 2 else 3
x' = y > 1 ? 2 : 3
when x < 0.5 then x = 1
x' = 10k*x
x' = x*PI
x' = x*π
x' = 9.81 [m/s^2]
x' = 9.81 m/s^2
include "other.rg"
x' = -x.^2
x' = -x.*y
x' = np.sin(x)
x' = pow(x, 2)
x' = cot(x)
x' = log2(x)
x' = integral(x)
x' = max(x, y, 3)
END
