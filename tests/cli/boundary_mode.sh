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
# The same in degrees, over 200 mm from s = 500 on; the angle is printed in radians.
cat > degrees.rg <<'M'
param P = 45, L = 200
var th
over s = 500 .. 700
L^2*th'' = -P*180/pi*sin(th*pi/180)
boundary th'(start) = 0
boundary th'(end) = 0
output angle = th*pi/180
M
for mode in 1 2; do "$REGULA" solve degrees.rg --guess mode=$mode --points 3 --csv - --quiet | sed 's/,-/,/'; done
for mode in 1 2; do "$REGULA" solve elastica.rg --guess mode=$mode --points 3 --csv - --quiet | sed 's/,-/,/'; done
"$REGULA" solve elastica.rg --guess mode=3 --quiet 2>&1
"$REGULA" solve elastica.rg --guess mode=none --quiet 2>&1
true
