# tol: 1e-4
# Names with commas are quoted; x' where x'' occurs; errors; the file appears as a whole.
cat > m.rg << 'END'
var c[i=1..2, j=1..1] = i, x = 1, x' = 0
for i = 1..2 { c[i,1]' = 0 }
x'' = -x
exact c[2,1] = 2
over t = 0 .. 1
END
"$REGULA" solve m.rg --csv out.csv --points 2 --quiet --tol 1e-8
cat out.csv
ls
