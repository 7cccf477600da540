# States of events in rows between steps, outputs with them, and forces of constraints: as they are at the time of the row,
# with every method.
# skips: bdf
cat > plain.rg <<END
state k = 1
var x = 1, y = 0
x' = y
y' = -k*x - y/10
when t >= 1 { k = 3 }
over t = 0 .. 3
output k, w = k*x - x
END
cat > circle.rg <<END
state k = 1
var x = 1, y = 0, lam
x' = -k*y + x*lam
y' = k*x + y*lam
0 = x^2 + y^2 - 1
when t >= 1 { k = 3 }
over t = 0 .. 3
END
sed 's/^over/output k, w = k*x - x\nover/' circle.rg > output.rg
cat > pendulum.rg <<END
state k = 1
var x = 1, y = 0, x' = 0, y' = 0, lam
x'' = -x*lam - k*x'
y'' = -y*lam - 9.81 - k*y'
0 = x^2 + y^2 - 1
when t >= 1 { k = 3 }
over t = 0 .. 3
output k, w = k*x - x
END
# k is 1, w is 0 before t = 1, 3 and not 0 behind it
rows() {
    "$REGULA" solve $1.rg --tol 1e-4 --method $2 --at 0.0001,0.5,0.9,1.3,2.5 --quiet --no-estimate --csv - | awk -F , -v way="$1 $2" '
        NR > 1 { good += $2 == ($1 < 1 ? 1 : 3) && ($1 < 1) == ($3 == 0) }
        END { print way ":", good + 0, "rows of 5" }'
}
for method in auto radau dopri extrapolation rosenbrock sdirk gauss lobatto3c $BDF; do rows plain $method; done
for method in auto radau half-explicit extrapolation rosenbrock sdirk gauss lobatto3c $BDF; do rows output $method; rows pendulum $method; done
# the circle is run through at speed k: no force is needed for it
for method in auto radau gauss srm; do
    "$REGULA" solve circle.rg --tol 1e-6 --method $method --at 0.5,1.3,2.5 --quiet --no-estimate --csv - | awk -F , -v way="$method" '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == "force(x)") at = k }
        NR > 1 { f = $at < 0 ? -$at : $at; if (f > most) most = f }
        END { print way ":", at ? "force" : "no column", most < 1e-3 ? "none" : most }'
done
