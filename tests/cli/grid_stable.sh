# Steps that explicit schemes can take on grids: viscosity, regularization without a linear system, Baumgarte's
# gamma and waves of artificial compressibility limit them; longer ones are refused, not taken.
# tol: 2e-3
# floor: 1e-9
. "$(dirname "$0")/../support/lid.sh"
lid cavity.rg 8 .1 .5 'umin = minimum(u[x], x = .5), vmax = maximum(u[y], y = .5)'
for o in '--scheme cn' '--scheme euler' '--scheme heun --method baumgarte --gamma 1000' '--scheme heun --alpha2 1000' \
         '--scheme ssprk3 --alpha1 0 --eps .1 --iterations 4' '--scheme heun --method artificial-compressibility --eps 1e-3' \
         '--scheme ssprk3 --method artificial-compressibility --eps 1e-3'; do
    echo "$o"
    "$REGULA" solve cavity.rg --json --no-estimate --tol 1e-5 $o | grep -oE '"values": [^}]*'
done
for o in '--scheme euler --step .04' '--scheme heun --method baumgarte --gamma 1000 --step .01' '--scheme heun --method penalty' \
         '--alpha1 0 --alpha2 0'; do
    "$REGULA" solve cavity.rg --no-estimate --quiet $o
    echo "exit $?"
done
echo "a tensor in space: its cross terms shorten the step by 8/9"
cat > tensor.rg << 'END'
param N = 12
domain x = 0..1 cells N periodic, y = 0..1 cells N periodic, z = 0..1 cells N periodic
field c = 1 + .1*sin(8*pi*(x + y + z))
vector u = (1, 1, 1)
field p
u' = -grad(p)
div(u) = 0
c' = div(dispersion(u, 0, 1, 0)*grad(c))
over t = 0 .. 1
output low = minimum(c), high = maximum(c)
END
for step in .002 .00179 .00177; do
    "$REGULA" solve tensor.rg --no-estimate --quiet --json --step $step | grep -oE '"status": "[a-z_]*"|"values": [^}]*'
done
echo "explicit schemes follow --tol"
for tol in 1e-3 1e-5; do
    "$REGULA" solve cavity.rg --json --no-estimate --scheme euler --tol $tol | grep -oE '"values": [^}]*'
done
echo "the step that a refusal names is taken"
for o in 'cavity.rg --scheme euler --step .04' 'cavity.rg --scheme heun --method baumgarte --gamma 1000 --step .01' \
         'tensor.rg --set N=6 --step .05 --to .01' 'tensor.rg --set N=10 --step .05 --to .01'; do
    limit=$("$REGULA" solve $o --no-estimate --quiet 2>&1 | sed -n 's/.*which allows //p')
    "$REGULA" solve $o --no-estimate --quiet --step "$limit" > /dev/null 2>&1 && echo "ok"
done
