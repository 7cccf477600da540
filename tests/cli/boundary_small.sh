# y'(0) of Troesch's problem, 1.6487734e-8, is 1e-12 of y'(1): without --atol a line says that it has no digits, with it
# they are there.
printf "param n = 20\nvar y\ny'' = n*sinh(n*y)\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n" > m.rg
"$REGULA" solve m.rg --tol 1e-6 | grep "^y'"
"$REGULA" solve m.rg --tol 1e-6 --atol 1e-20 -o o.csv | grep -c "^y'"
sed -n 2p o.csv | cut -d, -f3 | cut -c1-8
# A value that a condition gives has no error.
printf "var y\ny'' = 100*y\nover t = 0 .. 1\nboundary y(0) = 1e-9\nboundary y(1) = 1\n" > m.rg
"$REGULA" solve m.rg --tol 1e-6 | grep "^y "
