# Functions from tables: integrals of every kind and end, and along an unknown.
# tol: 1e-8
# floor: 1e-12
cat > kinds.rg <<'END'
table l(x) = (0, 0, 1, 1, 2, 0) linear repeat, s(x) = (0, 1, 1, -1, 2, 1) steps repeat
table h(x) = (0, 0, 1, 1, 2, 0) linear hold, m(x) = (0, 0, 1, 1, 2, 0.5) hold
table q(x) = (0, 0, 1, 1, 2, 0) repeat, p(x) = (0, 0, 1, 1, 2, -1, 3, 0) smooth repeat
var a = 0, b = 0, c = 0, d = 0, e = 0, g = 0
a' = l(t)
b' = s(t)
c' = h(t)
d' = m(t)
e' = q(t)
g' = p(t)
over t = -3 .. 7
END
"$REGULA" solve kinds.rg --tol 1e-10 --csv - --at 7 --quiet
cat > unknown.rg <<'END'
table f(x) = (0, 2, 1, 1, 2, 3, 4, 0.5) linear
table g(x) = (0, 2, 1, 1, 2, 4) steps hold
var x = 0, y = 0
x' = f(x)
y' = g(y)
over t = 0 .. 1.7
END
"$REGULA" solve unknown.rg --tol 1e-10 --csv - --at 1.7 --quiet
"$REGULA" solve unknown.rg --tol 1e-10 --csv - --at 1.7 --quiet --native on
for line in 'table f(x) = (0, 1, 2) linear' 'table f(x) = (0, 1)' 'table f(x) = (0, 1, 0, 2)' \
    'table f(x) = (1, 1, 0, 2) steps' 'table f(x, y) = (0, 1, 1, 2)' 'table f(x) = (0, 1, 1, 2) cubic' \
    'table f(x) = (0, 1, 1, 2) linear steps' 'table f(x) = (0, 1, 1, 2) hold repeat' 'table f(x) = 3' \
    'table f(x) = (0, 1, 1, 2) smooth repeat' 'table f(x) = (0, 1, 1, 2) by "t"' 'table f(x) = (0, 1, 1, 1/0)'; do
    printf '%s\n' "$line" "var x = 0" "x' = f(x)" "over t = 0 .. 1" > bad.rg
    "$REGULA" solve bad.rg
    echo "exit $?"
done 2>&1
