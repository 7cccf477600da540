# tol: 1e-4
# Points, errors, outputs with indices; a value that is not a number is null.
cat > m.rg << 'END'
var c[i=1..2, j=1..2] = i + j
for i = 1..2, j = 1..2 {
    c[i,j]' = -c[i,j]
    exact c[i,j] = (i + j)*exp(-t)
}
over t = 0 .. 1
output c[1,2], root = sqrt(t - 0.5)
END
"$REGULA" solve m.rg --json --points=3 --tol 1e-8 \
    | sed -e 's/"\(estimate\|steps\|rejected\|evaluations\|jacobians\|factorizations\|seconds\)": [^,}]*/"\1": N/g' -e 's/[0-9.]*e-[01][0-9]/tiny/g'
