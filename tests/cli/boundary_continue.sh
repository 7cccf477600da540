# tol: 1e-5
# From a solution for mu = 1 to one for mu = 12, and again with its own output as guess.
cp "$EXAMPLES/bvp/cash-23.rg" .
"$REGULA" solve cash-23.rg --continue mu=1..12 --csv t.csv | sed -n '3,5p'
"$REGULA" solve cash-23.rg --set mu=12 --guess t.csv --tol 1e-9 --at 0,1 --csv -  --quiet
# The parameter furthest from 1 has no part in what is difficult: the next one is followed then.
"$REGULA" solve - --max-steps 100 --csv - --at 0.5 --quiet << END
param eps = 1e-3, far = 1e9
var y ~ 0
eps*y'' + y*y' = y + 0/far
over x = 0 .. 1
boundary y(0) = -1/2
boundary y(1) = 3/2
END
"$REGULA" solve cash-23.rg --continue mu=1
