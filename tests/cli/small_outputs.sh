# Outputs far below 1 count in the estimate by their own size: a rate per second of what takes days, a current in
# amperes that is computed in nanoamperes.  The estimates were 1e-9 and 9e-16 where 1e-5 and 2e-7 are true.  A difference
# of large terms, as the error of an invariant, has no size of its own.
judge() { # the name, exact values of the first output as an expression of t in awk
    "$REGULA" solve m.rg --points 11 --json | tr '{' '\n' | awk -F '[:,}]' -v name="$1" '
        function number(text) { return text + 0 }
        /^"t"/ { t = $2; is_row = 1; next }
        is_row { is_row = 0; v = number($2); x = '"$2"'; if ((x < 0 ? -x : x) > s) s = x < 0 ? -x : x
                 e = v > x ? v - x : x - v; if (e > most) most = e }
        /"estimate"/ { for (i = 1; i <= NF; i++) if ($i ~ /"estimate"/) estimate = number($(i + 1)) }
        END { e = most/s
              print name ": " (e <= 10*estimate ? "covered" : "not covered, " e " for " estimate) }'
}
cat > m.rg << E
param T = 4e5
var x = 3e-3, y = 0
x' = 3e-3/T*cos(t/T) - 1e3/T*(x - 3e-3*(1 + sin(t/T)))
y' = (x/3e-3 - y)/T
output rate = x', x
over t = 0 .. 5*T
E
judge rate "3e-3/4e5*cos(t/4e5)"
cat > m.rg << E
var i = 0
i' = -3*i + 3*sin(2*t) + 2*cos(2*t)
output I = 1e-9*i
over t = 0 .. 5
E
judge current "1e-9*sin(2*t)"
"$REGULA" solve m.rg | grep estimated | sed 's/: .*,/: ...,/'
cat > m.rg << E
var x = 1, v = 0
x' = v
v' = -x
output energy = x^2 + v^2 - 1
over t = 0 .. 5
E
"$REGULA" solve m.rg --json | tr ',' '\n' | awk -F: '/"estimate"/ { print "invariant: " ($2 < 1e-5 ? "no size" : "size") }'
