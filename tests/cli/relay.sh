# tol: 1e-6
# A thermostat whose sensor lags behind goes to and fro for ever: it comes to move along the switch, at 1e-5 within the
# tolerance, at 1e-8 where the switches are noise.
cat > m.rg << 'E'
var T = 20, x = 20, q
130*T' = q - 8*(T - 20)
L*x' = T - x
q = if(x > 43, 0, 380)
over t = 0 .. 60
param L = 0.8
E
"$REGULA" solve m.rg --tol 1e-5 --points 31 --csv a.csv | sed 's/, [0-9.e-]* s$//'
tail -n 1 a.csv
"$REGULA" solve m.rg --tol 1e-8 --points 31 --to 40 2>&1 | grep -o "estimated error of 'q' is as large\|rows\|Filippov"
