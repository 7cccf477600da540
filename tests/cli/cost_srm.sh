# tol: 0.1
# floor: 2
# What the sequential regularization method costs.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/srm" || exit 1
cost coulomb-friction.rg srm-boundary-nonlinear.rg srm-boundary-origin.rg srm-boundary.rg srm-nonlinear-y.rg \
    srm-order-three.rg srm-several-zeros.rg srm-two-zeros.rg
cost srm-boundary.rg srm-boundary-nonlinear.rg -- --tol 1e-8
cost srm-singular.rg srm-bounded.rg srm-unbounded.rg srm-nonlinear-y.rg srm-several-zeros.rg -- --tol 1e-6
