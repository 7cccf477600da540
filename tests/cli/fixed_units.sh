# Fixed steps in units of 1e-9 and 1e9, of time too: Newton's method goes on to rounding, and ends there, in all of
# them; rows between the steps and projections are the same.
cat >index1.rg <<'EOF'
param u = 1
var x = u, y ~ u
x' = -x + y
0 = y + y^3/u^2/10 - x*cos(3*t)
output a = x/u
output b = y/u
over t = 0 .. 1
EOF
cat >index2.rg <<'EOF'
param u = 1
var x = u, y ~ u, z ~ u
x' = x*z/u - y
y' = -z - x*z/u
y = u*(1 + sin(t)/2)
output a = x/u
output b = z/u
over t = 0 .. 1
EOF
cat >index3.rg <<'EOF'
param u = 1
var p = u, q ~ 0, v ~ 0, w = 0, l ~ 0
p' = v
q' = w
v' = -p*l
w' = -q*l - u
p^2 + q^2 = u^2
output a = p/u
output b = l
over t = 0 .. 1
EOF
cat >skate.rg <<'EOF'
param u = 1, T = 1
var p = 0, q = 0, v = u/T, w ~ 0, k ~ 0
p' = v
q' = w
v' = u/T^2*k*sin(t/T)
w' = -u/T^2*k*cos(t/T)
0 = v*sin(t/T) - w*cos(t/T)
output a = p/u
output b = q/u
output c = k
over t = 0 .. T
EOF
cat >circle.rg <<'EOF'
param u = 1, T = 1
var p = u, q ~ 0, p' ~ 0, q' = u/T, l ~ 1
p'' = -p*l - q/5/T^2
q'' = -q*l + p/5/T^2
p^2 + q^2 = u^2
output a = p/u
output b = l*T^2
over t = 0 .. T
EOF
run() { # model, unit, options
    "$REGULA" solve $1.rg --set u=$2 --step 0.05 --formulation direct --method $3 --at 1 --csv - --quiet | tail -n 1
}
row() { # model, unit, exponent of the time, options
    "$REGULA" solve $1.rg --set u=$2 --set T=1e$3 --step 0.05e$3 --at 0.333e$3 --method $4 --csv - --quiet | tail -n 1 |
        cut -d , -f 2-
}
for model in index1 index2 index3; do
    for method in "radau --stages 2" "radau --stages 3" "radau --stages 5" "lobatto3c" "sdirk"; do
        [ $model = index3 ] && [ "$method" = sdirk ] && continue
        one=$(run $model 1 "$method")
        for unit in 1e-9 1e9; do
            echo "$one,$(run $model $unit "$method")" | awk -F, -v what="$model, $method, $unit" '{
                n = NF/2
                for (k = 1; k <= n; k++) {
                    d = $k - $(n + k)
                    if (d*d > 1e-20*$k*$k) far = 1
                }
                print what ": " (NF >= 6 && NF % 2 == 0 && !far ? "the same" : $0)
            }'
        done
    done
done
cat >sum.rg <<'EOF'
param u = 1, T = 1
var x = 0, y = u, z ~ 1
x' = u/T*z + (y - u)/T
y' = u/T*(z^3 - z) + (x - u*sin(t/T))/T
x + y = u*(1 + sin(t/T))
output a = x/u
output b = z
over t = 0 .. T
EOF
for model in circle skate sum; do
    for method in "lobatto-pair --stages 2" "lobatto-pair --stages 5" half-explicit "half-explicit --order 3" \
        "extrapolation --scheme euler3" "extrapolation --scheme midpoint"; do
        one=$(row $model 1 0 "$method" 2>err)
        grep -q 'does not fit' err && continue
        for units in "1e-12 0" "1e12 0" "1 -9" "1 9"; do
            echo "$one,$(row $model $units "$method")" | awk -F, -v what="$model, $method, $units" '{
                n = NF/2
                for (k = 1; k <= n; k++) {
                    d = $k - $(n + k)
                    if (d*d > 1e-18*$k*$k) far = 1
                }
                print what ": " (NF >= 4 && NF % 2 == 0 && !far ? "the same" : $0)
            }'
        done
    done
done
for model in skate circle; do
    for method in "radau --stages 1" "radau --stages 3" "radau --stages 4" "radau --stages 3 --formulation ggl" \
        "gauss --stages 2" "lobatto3c --stages 2" "sdirk --order 3" rosenbrock "extrapolation --scheme seulex"; do
        one=$(row $model 1 0 "$method")
        for units in "1e-9 0" "1e9 0" "1 -9" "1 9" "1e-12 6"; do
            echo "$one,$(row $model $units "$method")" | awk -F, -v what="$model, $method, $units" '{
                n = NF/2
                for (k = 1; k <= n; k++) {
                    d = $k - $(n + k)
                    if (d*d > 1e-18*$k*$k) far = 1
                }
                print what ": " (NF >= 4 && NF % 2 == 0 && !far ? "the same" : $0)
            }'
        done
    done
done
