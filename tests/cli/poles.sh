# Near a pole of the equations a run stays on its branch, or says why it cannot.
# tol: 1e-3
cat > titration.rg << 'END'
param Ka = 1.8e-5, Kw = 1e-14, C = 0.1
var Na = 0, H ~ 1e-3
Na' = 0.01
H + Na = C*Ka/(Ka + H) + Kw/H
over t = 0 .. 20
output Na, pH = -log10(H)
END
"$REGULA" solve titration.rg --atol H=1e-16 --at 5,10,15,20 --csv - --quiet
"$REGULA" solve titration.rg --quiet
echo "exit $?"
"$REGULA" solve titration.rg --accept-doubt --no-estimate | tail -n 3
