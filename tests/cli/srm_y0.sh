# --y0: words, expressions of time and parameters, and what is none of these.
# tol: 1e-2
cat > model.rg << 'END'
param a = 1
fun twice(s) = 2*s
var x1 = 1, x2 = 0
var y
x1' = 1 - exp(-t) - x1*y
x2' = cos(t) + exp(t)*sin(t) - x2*y
0 = (x1^2 + x2^2 - exp(-2*t) - sin(t)^2)/2
over t = 0 .. 1
exact x1 = exp(-t)
solve method = srm, scheme = gauss3, step = 0.005, eps = 0.01, iterations = 1
END
for y0 in zero start start1 start2 "a + twice(t/2)" "1.1*exp(t)"; do
    echo "$y0: $("$REGULA" solve model.rg --y0 "$y0" --no-estimate | grep '  x1 ' | tail -n 1)"
done
"$REGULA" solve model.rg --set a=0 --y0 "a + t" --no-estimate | grep '  x1 ' | tail -n 1
sed 's/iterations = 1/iterations = 1, y0 = "1 + t"/' model.rg | "$REGULA" solve - --no-estimate | grep '  x1 ' | tail -n 1
for y0 in "strat" "x1" "1, 2" "1 +" "1; 2" "log(t)" "$(printf '1%.0s' {1..200})"; do
    "$REGULA" solve model.rg --y0 "$y0"
    echo "exit status $?"
done
