# Values that begin at 0 in large units, far from t = 0: atol by size, or rounding of t as the cause.
# tol: 1e-5
cat > circuit.rg << 'END'
param a = 1e12, t0 = 1.6e9
let s = t - t0
var u = 0, i ~ a, d ~ a
0.5*u' = i - d
2*a*sin(3*s) = i + u
d = 0.01*a*(exp(4*u/a) - 1)
over t = t0 .. t0 + 6
END
"$REGULA" solve circuit.rg | grep -v ' s$'
"$REGULA" solve circuit.rg --atol auto --csv - --points 4 --quiet
for method in radau gauss; do
    "$REGULA" solve circuit.rg --tol 1e-9 --method $method > /dev/null 2> message
    echo "exit $?"
    tail -n 1 message
done
# A pole near the start is no matter of units.
printf 'var y = 1\ny'"'"' = 1e8*y^2\nover t = 0 .. 1\n' > pole.rg
"$REGULA" solve pole.rg > /dev/null 2> message
echo "exit $?"
tail -n 1 message
