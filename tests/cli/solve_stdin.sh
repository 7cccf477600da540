# tol: 1e-4
echo "var x = 1; x' = -x; over t = 0 .. 1" | "$REGULA" solve - --csv - --points 3 --quiet
