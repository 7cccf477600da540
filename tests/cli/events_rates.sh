# Conditions on derivatives: x' of the polynomial is not that of the equations, by the tolerance, where a run begins anew.
# skips: bdf
cat > system.rg <<END
state n = 0, s = 0
var x = 0, v = 1
x' = v
v' = -x
when "top" x' < 0 { n = n + 1; s = s + t }
over t = 0 .. 10
END
cat > given.rg <<END
state n = 0, s = 0
var x = 1
x' = cos(t)
when "top" x' < 0 { n = n + 1; s = s + t }
over t = 0 .. 10
END
# the maxima at pi/2 and 5 pi/2, by all methods
for m in system given; do
    for method in radau gauss lobatto3a lobatto3c sdirk rosenbrock dopri extrapolation $BDF "gauss --step 0.01" "radau1a --step 0.01"; do
        "$REGULA" solve $m.rg --tol 1e-8 --json --method $method | awk -v m="$m $method" '
            function value(key) { match($0, "\"" key "\": [-0-9.e+]*"); return substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) }
            { e = value("s") - 9.4247779607693793; if (e < 0) e = -e
              print m ":", value("events_total"), e < 3e-6 && e <= 10*value("estimate") + 1e-12 ? "good" : "error " e " estimate " value("estimate") }'
    done
done
# An event that is located just before its edge, since another condition asks for an algebraic unknown, fires once.
cat > once.rg <<END
state n = 0, s0 = 7.899741567673082e-07, s1 = -0.002451222979295348
var z0 = 0.000173616867274776, x0, x1 = 0.0002934672854268205
z0' = s0/2
x0 = 2*z0
x1' = (s1 - x1)/1607.4555495306422
when "out" x1 < 0.0004152003853534418 or x1 > 0.0004922472792287505 { n = n + 1; s1 = 0.003482910740188747 }
when "low" x0 < -0.0010315741780083903 { n = n + 1; s0 = -s0 }
when "late" t > 2549.4895708057475 { n = n + 1; x1 = 0.00023827393269191722 }
when t < 2192.542070341376 { n = n + 1; x1 = -4.522510409717873e-05; s0 = 1.0174076431142165e-06 }
every 548.4091845393966 { n = n + 1; s1 = -s1 }
over t = 1000 .. 3732.221140168093
END
for method in radau gauss lobatto3a lobatto3c sdirk rosenbrock $BDF; do
    echo "$method: $("$REGULA" solve once.rg --rtol 1e-6 --atol 1e-9 --json --method $method | grep -o '"events_total": [0-9]*')"
done
