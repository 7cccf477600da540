# tol: 1e-4
echo "param a = 1; var x = 1; x' = -a*x; over t = 0 .. 1" > m.rg
"$REGULA" solve m.rg --set a=5 --set a=2 --csv - --at 1 --quiet
