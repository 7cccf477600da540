# tol: 1e-4
# The start values hold at --from; a negative number may follow a flag.
echo "var x = 1; x' = -x; over t = 0 .. 1" > m.rg
"$REGULA" solve m.rg --from 1 --to -1 --at -0.9,0.5,1 --csv - --quiet
