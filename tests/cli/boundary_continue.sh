# tol: 1e-5
# From a solution for mu = 1 to one for mu = 12, and again with its own output as guess.
cp "$EXAMPLES/bvp/cash-23.rg" .
"$REGULA" solve cash-23.rg --continue mu=1..12 --csv t.csv | sed -n '3,5p'
"$REGULA" solve cash-23.rg --set mu=12 --guess t.csv --tol 1e-9 --at 0,1 --csv -  --quiet
"$REGULA" solve cash-23.rg --continue mu=1
