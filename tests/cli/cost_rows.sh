# tol: 0.1
# floor: 2
# What rows at chosen times cost where factorizations are dear: beside the run without them, in evaluations alone.
. "$EXAMPLES/../tests/support/cost.sh"
for tol in 1e-3 1e-4 1e-6 1e-8; do
    for points in 2 101; do
        cost "$EXAMPLES/ivp/brus2d.rg" "$EXAMPLES/../tests/rows/"{carry,radicals,waves}.rg -- \
            --tol $tol --points $points --no-estimate
    done
done
