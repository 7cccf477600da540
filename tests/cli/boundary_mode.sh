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
# With a load across: the equation is not 0 at the guess, and waves of 1e-15 change it by its rounding only.
cat > across.rg <<'M'
param P = 60, across = 0.1
var th
over s = 0 .. 1
th'' = -P*sin(th) - across*cos(s/10)
boundary th(0) = 0
boundary th(1) = 0
output th
M
# An unknown that has the shape of half a wave by itself, in terms that cancel, is no solution of that shape.
cat > beside.rg <<'M'
param P = 45, A = 1e4
var th, z ~ 1
over s = 0 .. 1
th'' = -P*sin(th) + A*(z - exp(-s))
z' = -z
boundary th'(0) = 0
boundary th'(1) = 0
boundary z(0) = 1
output th
M
for mode in 1 2; do "$REGULA" solve beside.rg --guess mode=$mode --points 2 --csv - --quiet | sed 's/,-/,/'; done
"$REGULA" solve across.rg --guess mode=1 --points 3 --csv - --quiet
for mode in 1 2; do "$REGULA" solve degrees.rg --guess mode=$mode --points 3 --csv - --quiet | sed 's/,-/,/'; done
for mode in 1 2; do "$REGULA" solve elastica.rg --guess mode=$mode --points 3 --csv - --quiet | sed 's/,-/,/'; done
"$REGULA" solve elastica.rg --guess mode=3 --quiet 2>&1
"$REGULA" solve elastica.rg --guess mode=none --quiet 2>&1
true
