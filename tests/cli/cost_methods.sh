# tol: 0.1
# floor: 2
# What the other methods for initial values cost.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/ivp" || exit 1
for method in gauss lobatto3a lobatto3c sdirk rosenbrock; do
    cost pendulum.rg hires.rg -- --method $method --tol 1e-5
done
for method in half-explicit extrapolation; do
    cost pendulum.rg andrews.rg -- --method $method --tol 1e-5
done
for stages in 3 4 7; do
    cost pendulum.rg -- --method gauss --stages $stages --formulation ggl --tol 1e-4
done
cost hires.rg -- --method extrapolation --scheme seulex
cost decay-rate.rg -- --method dopri --tol 1e-4
cost decay-rate.rg -- --method dopri --tol 1e-9
for method in gauss radau1a lobatto3c sdirk; do
    cost pendulum.rg -- --method $method --step 0.05
done
