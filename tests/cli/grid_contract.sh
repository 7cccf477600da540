# Fields on grids as the user meets them: what `check` expects of a run, warnings with their place, the own default
# of the tolerance, and what is refused before anything is computed.
# tol: 1e-3
# floor: 1e-9
cat > cavity.rg << 'END'
title "Lid-driven cavity"
param Re = 100, N = 16
domain x = 0..1 cells N, y = 0..1 cells N
vector u = (0, 0)
field p
u' + div(u*u) = lap(u)/Re - grad(p)
div(u) = 0
boundary u(top) = (1, 0)
over t = 0 .. 2
output umin = minimum(u[x], x = .5)
END
# Without FFTW (make GPL=no) another solver takes the place of transforms, with other memory.
expected=cat
"$REGULA" solve cavity.rg --solver transform --to .01 --quiet > /dev/null 2>&1 \
    || expected="sed -E s/^(solvers\s+).*/\1transform/;s/^(memory\s+about).*/\1\ 0.0778\ MB/;s/(solvers.:\s).*/\1[\"transform\"]/;s/(memory.:\s).*/\177824/"
"$REGULA" check cavity.rg | grep -vE '^time' | $expected
"$REGULA" check cavity.rg | grep -cE '^time  *about .* s per step'
"$REGULA" check cavity.rg --json | grep -oE '"(solvers|memory)": [^,]*' | $expected
# Without --tol it is 1e-4; --tol 1e-6 is not the same.
steps() { "$REGULA" solve cavity.rg --no-estimate --json "$@" | grep -oE '"steps": [0-9]*' | cut -d' ' -f2; }
[ "$(steps)" = "$(steps --tol 1e-4)" ] && echo "1e-4 by default"
[ "$(steps --tol 1e-6)" -gt "$(steps)" ] && echo "more steps with 1e-6"
# Start values that move, a balance that is spread, oscillations.
cat > moved.rg << 'END'
domain x = 0..1 cells 10, y = 0..1 cells 10
vector u = (1, 0)
field p
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
over t = 0 .. .01
output m = maximum(p)
END
"$REGULA" solve moved.rg | grep warning
cat > miss.rg << 'END'
domain x = 0..1 cells 10, y = 0..1 cells 10
field p
vector u
u = -grad(p)
div(u) = 0
boundary u[x](left) = 1, u[x](right) = 1.005
output a = p(.25, .5)
END
"$REGULA" solve miss.rg | grep -E 'one solve|  a |warning' | sed 's/, [^ ]* s$//'
cat > jagged.rg << 'END'
domain x = 0..2 cells 40, y = 0..1 cells 20
vector u = (1, 0)
field p
u' + div(u*u) = 1e-4*lap(u) - grad(p)
div(u) = 0
boundary u(left) = (1, 0), u(right) = (1, 0)
over t = 0 .. 4
output m = maximum(u[x])
END
"$REGULA" solve jagged.rg --no-estimate | grep warning
"$REGULA" solve jagged.rg --no-estimate --convection tvd | grep -c warning
# A potential in space; the balance of what is carried.
cat > curl.rg << 'END'
domain x = 0..1 cells 6, y = 0..1 cells 6, z = 0 .. 1 cells 6
vector u = curl((0, 0, sin(pi*x)^2*sin(pi*y)^2))
field p, c = x
u' = .1*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = 0
over t = 0 .. .01
output d = maximum(abs(div(u))), c = integral(c)
END
"$REGULA" solve curl.rg --no-estimate | grep -E '  [dc] |balance|warning'
# Nothing is computed: backwards, too large, and no summary of a run that did not begin.
sed 's/over.*/over t = 1 .. 0/' cavity.rg > back.rg
"$REGULA" solve back.rg; echo "exit $?"
sed 's/domain.*/domain x = 0..1 cells 1000, y = 0..1 cells 1000, z = 0 .. 1 cells 1000/; s/0, 0)/0, 0, 0)/; s/1, 0)/1, 0, 0)/' cavity.rg > huge.rg
"$REGULA" solve huge.rg 2>&1 | sed 's/ has .*/ has .../'; echo "exit ${PIPESTATUS[0]}"
"$REGULA" solve cavity.rg --scheme heun --iterations 40; echo "exit $?"
