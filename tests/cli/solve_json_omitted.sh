# tol: 1e-6
cat > m.rg << 'END'
var u[i=1..1001] = 1
for i = 1..1001 { u[i]' = 0 }
over t = 0 .. 1
END
"$REGULA" solve m.rg --json --at 1 | sed -e 's/"\(estimate\|steps\|rejected\|evaluations\|jacobians\|factorizations\|seconds\)": [^,}]*/"\1": N/g'
"$REGULA" check m.rg --json
