# tol: 0.1
# floor: 2
# What the transfer of boundary conditions costs.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/transfer" || exit 1
cost ./*.rg
cost ./*.rg -- --tol 1e-9
cd ../bvp || exit 1
cost cash-0[1-9].rg -- --method transfer
