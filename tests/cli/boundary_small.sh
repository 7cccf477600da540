# y'(0) of Troesch's problem is 1e-12 of y'(1) for n = 20 (1.64877318e-8) and 1e-19 of it for n = 30 (7.4860938e-13): it
# has as many digits as the tolerance asks for, with --atol and without.
printf "param n = 20\nvar y\ny'' = n*sinh(n*y)\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n" > m.rg
for tol in 1e-4 1e-6 1e-9; do
    "$REGULA" solve m.rg --tol $tol -o o.csv | grep -c "^y'"
    awk -F, -v tol=$tol 'NR == 2 { e = $3/1.64877318278e-8 - 1; print (e < tol && -e < tol) ? "right" : "wrong by " e }' o.csv
    "$REGULA" solve m.rg --tol $tol --set n=30 -o o.csv > s
    awk -F, -v tol=$tol 'NR == 2 { e = $3/7.48609379505e-13 - 1; print (e < tol && -e < tol) ? "right" : "wrong by " e }' o.csv
done
"$REGULA" solve m.rg --tol 1e-6 --atol 1e-20 -o o.csv | grep -c "^y'"
sed -n 2p o.csv | cut -d, -f3 | cut -c1-8
# The same in other units, and with both unknowns of first order.
printf "param n = 20\nvar y, z\ny' = 1e-3*z\n1e-3*z' = 1e-9*n*sinh(1e3*n*y)\nover t = 0 .. 1e3\n" > u.rg
printf "boundary y(0) = 0\nboundary y(1e3) = 1e-3\n" >> u.rg
"$REGULA" solve u.rg --tol 1e-6 -o o.csv | grep -c "^z "
awk -F, 'NR == 2 { e = $3/1.64877318278e-11 - 1; print (e < 1e-6 && -e < 1e-6) ? "right" : "wrong by " e }' o.csv
# What falls by exp(-100) is told to have no digits, at the price of no other mesh.
printf "var y\ny'' = 1e4*y\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n" > m.rg
"$REGULA" solve m.rg --tol 1e-6 | sed 's/, [^,]* s$//; /^  /d; /^$/d; /estimated/d'
# A value that a condition gives has no error.
printf "var y\ny'' = 100*y\nover t = 0 .. 1\nboundary y(0) = 1e-9\nboundary y(1) = 1\n" > m.rg
"$REGULA" solve m.rg --tol 1e-6 | grep "^y "
# Nor are zeros that a solution crosses, or begins with, looked for: as many meshes as ever.
printf "var y\ny'' = y - 2*cos(t)\nover t = 0 .. pi\nboundary y(0) = 1\nboundary y(pi) = -1\n" > m.rg
"$REGULA" solve m.rg --tol 1e-6 | sed -n '1s/, [^,]* s$//p'
