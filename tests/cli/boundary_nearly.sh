# tol: 1e-4
# Conditions that nearly depend on others, nearly hold, or hardly read an unknown: beside each case that counts as
# nothing stands one that counts.
try() { # METHOD LINES: w and the conditions on it and on z
    printf '%s\n' 'var y, z, w, v, q' 'over t = 0 .. 1' "y' = z" "z' = -y" "v' = t*v + 1" "q' = -q" \
        'boundary y(0) = 1' 'boundary v(1) = 2' 'boundary z(0) + q(0) = 3' "$2" | tr '&' '\n' > model.rg
    echo "$*"
    "$REGULA" solve model.rg --no-estimate --quiet --method "$1" 2>&1 | sed -n 's/^.*error:/  error:/p'
}
for part in 1e-9 1e-7; do
    try collocation "w = y&boundary y(0) + $part*z(0) = 1"
    try collocation "w = y + $part*z&boundary w(0) = 1"
done
for part in 1e-9 1e-4; do
    try collocation "w = y + z&boundary z(0) = 2&boundary w(0) = 3 + $part"
done
for part in 1e-8 1e-4; do
    try collocation "w' = z&boundary z(0) = 2&boundary y(0) + $part*z(0) = 4"
done
