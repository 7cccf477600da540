# tol: 1e-4
# Options of the model; flags on the command line win.
echo "var x = 1; x' = -x; over t = 0 .. 1; solve step = 0.25" > m.rg
"$REGULA" solve m.rg --csv - --quiet
"$REGULA" solve m.rg --csv - --quiet --step 0.5
