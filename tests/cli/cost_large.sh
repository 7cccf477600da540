# tol: 0.1
# floor: 2
# What initial value problems with more unknowns cost.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/ivp" || exit 1
cost andrews.rg bricard-reduced.rg brus1d.rg brus2d.rg governor.rg
