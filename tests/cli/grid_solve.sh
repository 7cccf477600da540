# Fields on grids: the values of the expanded equations at tol 1e-8 (cavity, 8 x 8: umin at x = .5 and
# v there), the pressure drop of a five-spot, the warm wall, the lines of a summary.
# tol: 1e-7
# floor: 1e-12
. "$(dirname "$0")/../support/lid.sh"
lid cavity.rg 8 .01 1 'mid = u[x](.5, .4375), side = u[y](.1875, .5), drop = p(.4375, .4375) - p(.0625, .0625)'
"$REGULA" solve cavity.rg --step 5e-4 --json --no-estimate | tr ',' '\n' | grep -E '"(unknowns|index|dof|method|values|mid|side|drop)"|side|drop'
cat > spot.rg << 'END'
param N = 40
domain x = 0..1 cells N, y = 0..1 cells N
field p, c = 0
vector u
u = -grad(p)
div(u) = 0
c' + div(u*c) = 0
well in at (0, 0) rate 1 with c = 1
well out at (1, 1) rate -1
over t = 0 .. .05
output drop = p(in) - p(out), recovered = integral(c), produced = c(out), rate = rate(in)
END
"$REGULA" solve spot.rg --no-estimate --csv - --at .05 2> /dev/null
cat > warm.rg << 'END'
title "Warm and cold wall"
param Ra = 1e4, Pr = .71, N = 16
domain x = 0..1 cells N, y = 0..1 cells N
vector u = (0, 0)
field p, T = .5 - x
u' + div(u*u) = Pr*lap(u) - grad(p) + (0, Pr*Ra*T)
div(u) = 0
T' + div(u*T) = lap(T)
boundary T(left) = .5, T(right) = -.5
over t = 0 .. .4
output Nu = 1 + integral(u[x]*T), umax = maximum(u[x], x = .5), vmax = maximum(u[y], y = .5)
END
"$REGULA" solve warm.rg --transport central --no-estimate | grep -E 'Nu|umax|vmax'
cat > still.rg << 'END'
title "One solve"
domain x = 0..1 cells 16
field s
0 = lap(s) + 2
boundary s(left) = 0, s(right) = 0
output mid = s(.5), total = integral(s)
END
"$REGULA" solve still.rg --no-estimate --json | tr ',' '\n' | grep -E 'mid|total|status'
# Solids in a flow and in Darcy flow; no level of an elliptic equation; wells that vary.
cat > obstacle.rg << 'END'
domain x = 0..2 cells 20, y = 0..1 cells 10
solid block = (x - 1)^2 + (y - .5)^2 < .04
vector u = (0, 0)
field p
u' + div(u*u) = .01*lap(u) - grad(p)
div(u) = 0
boundary u(left) = (1, 0), p(right) = 0
over t = 0 .. 1
output drag = force(block, x), lift = force(block, y), out = integral(u[x], right)
END
"$REGULA" solve obstacle.rg --json --no-estimate --step .01 | tr ',' '\n' | grep -E 'drag|out"' | sed 's/\(\....\)[0-9]*$/\1/'
sed '/^boundary/d' still.rg > level.rg
"$REGULA" solve level.rg --quiet
echo "exit $?"
# Sources that balance in sum, over the cells or with the flow, determine the level; a flow alone does not.
level() { # EQUATION METHOD...: the mean by these routes
    { echo 'domain x = -1..1 cells 16, y = 0..1 cells 4'; echo 'field c ~ 0'; echo "$1"; echo 'output m = mean(c)'; } > source.rg
    shift
    for method in "$@"; do
        "$REGULA" solve source.rg --method $method --json --no-estimate 2> told |
            grep -oE '"m": [-.0-9]{9}|nothing determines the level of .c.'
    done
}
level '-lap(c) = x*c + 1' auto radau
level 'div((.3*cos(pi*x/2), 0)*c) - lap(c) = .5*x*c + 1' auto radau
level 'div((.3*cos(pi*x/2), 0)*c) - lap(c) = x' auto
cat > porous.rg << 'END'
domain x = 0..1 cells 20, y = 0..1 cells 10
solid block = (x - .5)^2 + (y - .5)^2 < .04
field p, c = 0
vector u
u = -grad(p)
div(u) = 0
c' + div(u*c) = 0
boundary p(left) = 1, p(right) = 0, c(left) = 1
over t = 0 .. 3
output flux = integral(u[x], right), influx = integral(u[x], left), most = maximum(c), total = integral(c)
END
"$REGULA" solve porous.rg --json | tr ',' '\n' | grep -E 'flux|most|total'
sed 's/with c = 1/with c = 1 + t/; s/N = 40/N = 10/' spot.rg > rising.rg
"$REGULA" solve rising.rg --no-estimate --json | tr ',' '\n' | grep recovered
# Explicit schemes from rest keep their steps stable and small at first; too many iterations are refused.
"$REGULA" solve cavity.rg --scheme ssprk3 --no-estimate | grep -E 'mid|side|drop'
"$REGULA" solve cavity.rg --scheme heun --iterations 40 --quiet
echo "exit $?"
# What is left of the constraint is told for one solve too.
cat > wells.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 8
field p
vector u
u = -grad(p)
div(u) = 0
well in at (0, 0) rate 1
well out at (1, 1) rate -1
output drop = p(in) - p(out)
END
"$REGULA" solve wells.rg --eps 1 --iterations 1 --no-estimate --json | tr ',' '\n' | grep -E 'drift|drop'
echo "two wells with a pressure in one cell are two wells"
cat > wells.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 8
vector u
field p
u = -grad(p)
div(u) = 0
well A at (0, 0) pressure 2 radius 1e-3
well B at (.01, .01) pressure 1 radius 1e-3
well C at (1, 1) pressure 0 radius 1e-3
output a = rate(A), b = rate(B), c = rate(C), s = rate(A) + rate(B) + rate(C), m = integral(div(u))
END
"$REGULA" solve wells.rg --no-estimate | grep -E '^  [a-z] '
# The solution of a linear equation that vanishes is found.
cat > nothing.rg << 'END'
domain x = 0..1 cells 4 periodic
field s ~ .5
0 = lap(s) - s + sin(8*pi*x)
output most = maximum(abs(s))
END
"$REGULA" solve nothing.rg --no-estimate --json | grep -oE '"(status|most)": [^,}]*' | awk '/most/ { print ($2 < 1e-12) } /status/'
# The balance of many cells closes to rounding.
cat > many.rg << 'END'
domain x = 0..1 cells 400000
field c = 1 + x
c' = -c
over t = 0 .. .1
output a = mean(c)
END
"$REGULA" solve many.rg --step .02 --no-estimate --json | grep -oE '"defect": [^,}]*' | awk '{ print ($2*$2 < 1e-26 ? "closed" : $2) }'
# Every method of grids may stand in the model as well as behind --method, with the same result.
lid named.rg 8 .1 .1 'm = minimum(u[x], x = .5)'
for m in srm projection artificial-compressibility penalty baumgarte radau; do
    { cat named.rg; echo "solve method = $m"; } > inside.rg
    a=$("$REGULA" solve inside.rg --json --no-estimate | grep -oE '"(method|values)": [^}]*"(status|m)": [^,}]*')
    b=$("$REGULA" solve named.rg --method $m --json --no-estimate | grep -oE '"(method|values)": [^}]*"(status|m)": [^,}]*')
    [ -n "$a" ] && [ "$a" = "$b" ] && echo "$m: the same"
done
sed "s/^u' .*/u = -grad(p)/; s/^boundary.*/boundary p(left) = 0, p(right) = 1/; s/^over.*//; s/^output.*/output q = integral(u[x], right)/" named.rg > darcy.rg
{ cat darcy.rg; echo 'solve method = mixed'; } > inside.rg
"$REGULA" solve inside.rg --json --no-estimate | grep -oE '"method": "[a-z]*"|"q": [^,}]*'
