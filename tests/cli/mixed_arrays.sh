# tol: 1e-6
# floor: 1e-12
# skips: bdf
# Elements of an array that are differentiated and elements that are not: the columns, the estimate and the steps are
# those of the model with scalars; the tolerance of a derivative and an event name what an element has.
cat > array.rg << 'E'
title "Two rods in a chain"
var z[i=1..6]
start z[1] = 0.6, z[2] = -0.8, z[4] = 1.2, z[5] = -1.6, z[1]' = 0, z[2]' = 0, z[4]' = 0, z[5]' = 0
z[1]'' = -z[1]*z[3] - (z[1] - z[4])*z[6]
z[2]'' = -z[2]*z[3] - (z[2] - z[5])*z[6] - 9.81
z[4]'' = (z[1] - z[4])*z[6]
z[5]'' = (z[2] - z[5])*z[6] - 9.81
z[1]^2 + z[2]^2 = 1
(z[1] - z[4])^2 + (z[2] - z[5])^2 = 1
over t = 0 .. 2
E
sed "s/var z.*/var a, b, f, c, d, g/; s/z\[1\]/a/g; s/z\[2\]/b/g; s/z\[3\]/f/g; s/z\[4\]/c/g; s/z\[5\]/d/g; s/z\[6\]/g/g" \
    array.rg > scalars.rg
for method in radau rosenbrock $BDF; do
    for model in scalars array; do
        echo "$method, $model"
        "$REGULA" solve $model.rg --method $method --tol 1e-7 --points 2 --csv $model.csv > $model.txt
        head -n 1 $model.csv | sed "s/^/$method: /"
        sed -n 's/, [0-9.e-]* s$//; 2p' $model.txt
        grep estimated $model.txt | sed "s/^/$method: /"
    done
    cmp -s <(tail -n 1 scalars.csv | cut -c 1-12) <(tail -n 1 array.csv | cut -c 1-12) && echo "$method: same end"
done
"$REGULA" solve array.rg --atol "z[3]'=1e-9"
"$REGULA" solve array.rg --atol "z[4]'=1e-9" --quiet
echo "when z[1] < -0.5 { z[3] = 0 }" >> array.rg
"$REGULA" solve array.rg
