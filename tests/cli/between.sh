# Rows that are steps: the summary says where the polynomial between them is poor, and only there.
# tol: 1e-2
# floor: 1e-9
cat > fast.rg << 'END'
var x = 1, y
over t = 0 .. 5
x' = -0.1*x
y = sin(20*t)
END
cat > slow.rg << 'END'
var x = 1, y
over t = 0 .. 5
x' = -x
y = x^2
END
for model in fast slow; do "$REGULA" solve $model.rg | sed 's/, [0-9.e-]* s$//'; done
"$REGULA" solve fast.rg --points 21 | grep rows
