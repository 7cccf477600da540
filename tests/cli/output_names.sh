# Columns, and keys of objects, have names of their own: an output is listed once, an exact solution given once, and the
# independent variable is there already.  Parts of an array may come one by one.
head='var x = 1, u[i=1..3] = 1
let r = x^2
param m = 2
x'"' = -x
for i = 1..3 { u[i]' = -i }
over t = 0 .. 1"
try() {
    printf '%s\n' "$head" "$@" > m.rg
    "$REGULA" solve m.rg --csv - --points 2 --quiet
    echo "exit status $?"
}
try 'output x, x' 2>&1
try 'output x' "output x', x" 2>&1
try 'output u, u[2]' 2>&1
try 'for i = 1..3 { output x }' 2>&1
try 'output m, m' 2>&1
try 'output e[1] = x' 'for i = 1..2 { output e[i] = u[i] }' 2>&1
try 'exact x = exp(-t)' 'exact x = exp(-t)' 2>&1
try 'exact u[1] = 1 - t' 'for i = 1..3 { exact u[i] = 1 - i*t }' 2>&1
try 'output x, t' 2>&1
echo "these are different ones"
try "output x, x', r, r', u[3], u[1], u[1]', m, a = t" 'for i = 1..2 { output e[i] = u[i] }' 'output e[3] = x' \
    'exact x = exp(-t)' | head -n 1
printf '%s\n' 'domain x = 0..1 cells 8' 'field c = 1' "c' = lap(c)" 'over t = 0 .. 1' 'output a = mean(c), b = c(0.5)' > g.rg
"$REGULA" solve g.rg --csv - --points 2 --quiet | head -n 1
for more in 'output a = maximum(c)' 'output t'; do
    (cat g.rg; echo "$more") > h.rg
    "$REGULA" solve h.rg --quiet 2>&1
    echo "exit status $?"
done
