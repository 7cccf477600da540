# tol: 0.1
# floor: 2
# What boundary value problems cost at a tight tolerance.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/bvp" || exit 1
cost bratu.rg cash-0[1-9].rg cash-1[1-9].rg eigenvalue.rg index2-*.rg limit-cycle.rg swing.rg -- --tol 1e-9
