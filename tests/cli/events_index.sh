# A constraint that comes or goes with a state changes the index: written for the highest derivatives it does not.
# tol: 1e-6
# skips: bdf
body() { # the equation of the multiplier
    cat <<END
param a = 0.5, g = 9.81
state stuck = $2
var x = $3, x' = 0, lambda
x'' = lambda - g
0 = if(stuck > 0.5, $1, lambda)
when "catch" x < a and stuck < 0.5 { stuck = 1; x = a; x' = 0 }
when "free" t > 0.6 { stuck = 0 }
over t = 0 .. $4
END
}
# caught at sqrt(2 (1 - a)/g) = 0.319275..; at rest
body "x'" 0 1 0.5 > speed.rg
body "x''" 0 1 0.5 > force.rg
for o in "speed.rg" "force.rg" ${BDF:+"force.rg --method bdf"} "force.rg --method gauss" "force.rg --method sdirk"; do
    "$REGULA" solve $o --tol 1e-8 --json | tr ',{' '\n\n' | grep -e '"lambda": ' -e '^ *"x": ' -e '"events_total' | sed "s/^/$o:/"
done
# as a position that is at rest it goes on as well; one that moves does not, and is told with the way out
body "x - a" 0 1 0.5 > place.rg
"$REGULA" solve place.rg --tol 1e-8 --json | tr ',{' '\n\n' | grep -e '"lambda": ' -e '^ *"x": ' -e '"events_total'
sed -e "s/x - a/x - a - 0.1*sin(5*t)/" -e "s/x < a/x < a + 0.1*sin(5*t)/" \
    -e "s/x = a; x' = 0/x = a + 0.1*sin(5*t); x' = 0.5*cos(5*t)/" place.rg > moves.rg
[ -z "$BDF" ] || echo "bdf: $("$REGULA" solve moves.rg --tol 1e-8 --method bdf --quiet 2>&1 | grep -o 'the index changes.*')"
# freed where it rests it falls, and is caught at once; without the catch it falls by 0.5*g*0.4^2
body "x - a" 1 0.5 1 > freed.rg
for o in "" /catch/d; do
    sed "$o" freed.rg > m.rg
    "$REGULA" solve m.rg --tol 1e-8 | grep -e "^  x " -e "^  lambda"
done
