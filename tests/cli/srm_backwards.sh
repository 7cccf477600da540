# From t = 1 back through the singular place: every kind of variant.  At t = 0.25 no component is near 0.
# tol: 1e-6
sed -e 's/over t = 0 .. 1/over t = 1 .. 0/' -e 's/x1 = 1, x2 = 0$/x1 = exp(-1), x2 = sin(1)/' "$EXAMPLES/srm/srm-singular.rg" > singular.rg
sed -e 's/over t = 0 .. 3/over t = 1 .. 0/' -e "s/^var a = .*/var a = sin(1), b = -2*sin(1), a' = cos(1), b' = -2*cos(1)/" "$EXAMPLES/ivp/robot-two-link.rg" > robot.rg
for variant in singular linear-by linear-by-rate; do
    echo "$variant $("$REGULA" solve singular.rg --variant $variant --csv - --at 0.25 --quiet | tail -n 1 | cut -d, -f2,3)"
done
for variant in second-order invariant stabilized stabilized-singular multibody; do
    echo "$variant $("$REGULA" solve robot.rg --method srm --variant $variant --csv - --at 0.25 --quiet | tail -n 1 | cut -d, -f2,3)"
done
for method in baumgarte invariant post-stabilization; do
    echo "$method $("$REGULA" solve robot.rg --method $method --csv - --at 0.25 --quiet | tail -n 1 | cut -d, -f2,3)"
done
