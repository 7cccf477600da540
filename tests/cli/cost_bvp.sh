# tol: 0.1
# floor: 2
# What boundary value problems cost.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/bvp" || exit 1
cost $(ls -- *.rg | grep -v '^square.rg$')
cost "$EXAMPLES"/singpert/*.rg
