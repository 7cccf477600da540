# Two constraints that say the same: of the multipliers a and b only a + (2 + sin(t)) b is determined; least norm: b = (2 + sin(t)) a.
cat > held-twice.rg << 'MODEL'
title "Pendulum held twice"
param g = 9.81
var p = 1, q = 0, p' = 0, q' = 0
var a, b
p'' = -p*(a + (2 + sin(t))*b)
q'' = -q*(a + (2 + sin(t))*b) - g
p^2 + q^2 = 1
(2 + sin(t))*(p^2 + q^2 - 1) = 0
over t = 0 .. 3
output p, q, force = a + (2 + sin(t))*b + 3*g*q, off = b - (2 + sin(t))*a
MODEL
"$REGULA" solve held-twice.rg --tol 1e-8 --points 7 --csv - --quiet \
    | awk -F, 'NR > 1 { if ($5 * $5 > 1e-12) print "not the least norm at", $1, $5; if ($4 * $4 > 1e-6) print "wrong force at", $1, $4; rows++ }
               END { print rows, "rows" }'
