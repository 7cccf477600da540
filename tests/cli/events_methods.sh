# Events in all initial value methods: a pendulum of index 3 thrown back at the vertical, three times.
# tol: 1e-3
# skips: bdf
cat > wall.rg <<END
param g = 9.81
state n = 0
var x = 0.6, y = -0.8, u = 0, v = 0, lam
x' = u
y' = v
u' = -lam*x
v' = -lam*y - g
0 = x^2 + y^2 - 1
when "wall" x < 0 { u = -u; v = -v; n = n + 1 }
output x, u, n, lam
over t = 0 .. 3
END
# x(3), u(3), lam(3) of a run at 1e-12, and the third event
way() { # options, the error that they are allowed
    "$REGULA" solve wall.rg --tol 1e-7 --json $1 2> /dev/null | awk -v way="$1" -v most="$2" '
        function value(key) { match($0, "\"" key "\": [-0-9.e+]*"); return substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) }
        function off(a, b) { return a > b ? a - b : b - a }
        { n = split($0, part, "\"t\": "); t = part[5] + 0
          e = off(value("x"), 0.5813395444); d = off(value("u"), 0.4212455922); f = off(value("lam"), 8.250045241) / 100; w = off(t, 2.5740645120)
          if (d > e) e = d; if (f > e) e = f; if (w > e) e = w
          print way ": events", value("events_total"), "n", value("n"), e <= most ? "good" : "error " e }'
}
for method in auto radau gauss lobatto3a lobatto3c half-explicit rosenbrock post-stabilization srm invariant extrapolation sdirk; do way "--method $method" 2e-6; done
[ -z "$BDF" ] || way "--method bdf" 1e-5
for method in baumgarte augmented-lagrangian; do way "--method $method" 2e-4; done
way "--method penalty --scheme radau3 --eps 1e-6" 2e-4
for method in radau gauss radau1a lobatto3a lobatto3c lobatto-pair half-explicit extrapolation sdirk rosenbrock; do way "--method $method --step 0.01" 2e-7; done
for method in invariant baumgarte srm augmented-lagrangian; do way "--method $method --step 0.01" 5e-4; done
way "--method penalty --scheme radau3 --eps 1e-6 --step 0.01" 5e-4
for form in direct ggl projected; do way "--formulation $form" 2e-6; done
"$REGULA" compare wall.rg --tol 1e-7 --methods radau,${BDF:+bdf,}srm,half-explicit,gauss --json | grep -oE '"(method|status)": "[a-z-]*"' | paste - -
