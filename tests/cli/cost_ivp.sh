# tol: 0.1
# floor: 2
# What initial value problems cost, at their own tolerance, a loose and a tight one.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/ivp" || exit 1
models=(backward.rg caraxis.rg chemakzo.rg control-chain.rg decay-rate.rg flexible-joint.rg heat.rg hires.rg
    implicit-ode.rg knife-edge.rg lc-circuit.rg pendulum-ggl.rg pendulum-index2.rg pendulum.rg robertson.rg
    robot-two-link.rg rolling-disc.rg slider-crank.rg transfer.rg transistor-amplifier.rg vdpol.rg)
cost "${models[@]}"
cost "${models[@]}" -- --tol 1e-3
cost "${models[@]}" -- --tol 1e-9
