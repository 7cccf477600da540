# Grids, boundary values and a way through values of a parameter, killed and resumed: see tests/support/kill.sh.
. "$(dirname "$0")/../support/kill.sh"
survives "flow" solve "$EXAMPLES/grids/cavity.rg" --set N=24 --to 12
survives "flow at chosen times" solve "$EXAMPLES/grids/cavity.rg" --set N=24 --to 12 --at 4,8,12 --scheme heun
survives "flow at many times" solve "$EXAMPLES/grids/cavity.rg" --set N=24 --to 12 --points 41
survives "displacement" solve "$EXAMPLES/grids/five-spot.rg" --set N=16
survives "continuation" solve "$EXAMPLES/bvp/cash-24.rg" --continue eps=1..1e-3 --tol 1e-9
survives "boundary values" solve "$EXAMPLES/bvp/cash-20.rg" --tol 1e-10
