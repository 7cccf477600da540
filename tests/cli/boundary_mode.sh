# tol: 1e-6
# floor: 1e-9
# The elastica beside its straight form: one solution for every mode that the load allows, none beyond.
cat > elastica.rg <<'M'
param P = 45
var th
over s = 0 .. 1
th'' = -P*sin(th)
boundary th'(0) = 0
boundary th'(1) = 0
output th
M
for mode in 1 2; do "$REGULA" solve elastica.rg --guess mode=$mode --points 3 --csv - --quiet | sed 's/,-/,/'; done
"$REGULA" solve elastica.rg --guess mode=3 --quiet 2>&1
"$REGULA" solve elastica.rg --guess mode=none --quiet 2>&1
true
