# Linear equations that contradict each other: least squares are the same from wherever the search
# begins, and nothing is begun again.
cat > dense.rg <<'END'
var x[i = 1..60]
var y[i = 1..60] = 1
for i = 1..60 {
    y[i]' = -y[i]
    sum(j = 1..60, x[j])*1 = i + y[i]
}
over t = 0 .. 1
END
"$REGULA" check dense.rg --verbose > out.txt 2>&1
grep -c -e 'again from' -e homotopy out.txt
grep -c 'error: the start values contradict' out.txt
