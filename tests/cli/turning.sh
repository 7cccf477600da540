# Recognition and the method 'turning-point': kinds and layers, variants, and everything that is refused.
E=$EXAMPLES/singpert
for name in repulsive attractive off-center three-points nonlinear-center boundary-point; do
    "$REGULA" check "$E/$name.rg" | grep layers
done
"$REGULA" check "$E/off-center.rg" --json | grep -o '"turning".*"layers"[^]]*\]'
"$REGULA" check "$EXAMPLES/bvp/bratu.rg" --json | grep -c '"turning"'
echo "# variants"
for v in sweep two-pass upwind shishkin; do
    "$REGULA" solve "$E/repulsive.rg" --set eps=1e-6 --method turning-point --variant $v --at 0,0.5 --json |
        grep -o '"points.*"drift'
done
"$REGULA" solve "$E/attractive.rg" --set eps=1e-6 --method turning-point --at 0,0.5 --json | grep -o '"points.*"drift'
echo "# refused"
try() { "$REGULA" solve "$@" --method turning-point 2>&1; echo "exit $?"; }
try "$E/three-points.rg"
try "$E/boundary-point.rg"
try "$E/repulsive.rg" --variant conservative
try "$E/repulsive.rg" --intervals 33
try "$E/repulsive.rg" --intervals 6
try "$E/repulsive.rg" --set eps=-1e-2
try "$E/repulsive.rg" --set eps=0
model() { printf 'param eps = 1e-3\nvar u\n%s\n%s\nboundary u(1) = 1\nover x = -1 .. 1\n' "$1" "${2-boundary u(-1) = 0}" > m.rg; try m.rg; }
model "-eps*u'' + u' + u = 0"
model "-eps*u'' - x^2*u' + u = 0"
model "-eps*u'' + x*u' - u = 0"
model "-eps*(1 + x^2)*u'' + x*u' + u = 0"
model "-eps*u'' + x*u'^2 + u = 0"
model "-eps*u'' + (x - u)*u' + u = 0"
model "-eps*u'' + x*u' + u = 0" "boundary u'(-1) = 0"
try "$EXAMPLES/ivp/pendulum.rg"
