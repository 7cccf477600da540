# A sign or a unit that is wrong: values leave the range of numbers, and the message says which.
printf '%s\n' 'param k = 1e5' 'var y = 1, x = 1' "x' = k*x" "y' = -y" 'over t = 0 .. 100' > m.rg
for method in radau rosenbrock dopri gauss extrapolation; do
    "$REGULA" solve m.rg --method $method --quiet 2>&1 | sed 's/t = [0-9.]*/t = .../; s/[0-9.]*e+30[0-9]/.../'
done
# no sign before nan
printf '%s\n' 'var h = 1' "h' = -sqrt(h)" 'over t = 0 .. 5' | "$REGULA" solve - --quiet 2>&1 | grep -o 'residual .*'
