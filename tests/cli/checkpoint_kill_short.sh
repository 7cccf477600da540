# Runs that begin anew when they are resumed, since they have no pause: the same result all the same: see
# tests/support/kill.sh.
. "$(dirname "$0")/../support/kill.sh"
survives "below 100 steps" solve "$EXAMPLES/ivp/andrews.rg" --to 0.003
survives "boundary values by srm" solve "$EXAMPLES/srm/crank-boundary.rg" --method srm
survives "transfer" solve "$EXAMPLES/bvp/cash-01.rg" --method transfer --tol 1e-11
survives "turning point" solve "$EXAMPLES/singpert/repulsive.rg" --method turning-point --intervals 8192
