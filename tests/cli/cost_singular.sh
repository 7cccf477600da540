# tol: 0.1
# floor: 2
# What the way through singular positions costs.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/singular" || exit 1
cost autonomous.rg both-vanish.rg bounded-multiplier.rg capacitor-loop.rg curved-cross.rg implicit.rg \
    pendulum-held-twice.rg smooth-multiplier.rg stiff.rg three-close.rg three-zeros.rg unbounded-multiplier.rg vanish.rg
cd ../../tests/singular || exit 1
cost antiparallelogram.rg arrives-at-rest-twice.rg arrives-slowly.rg combined-cross.rg combined-rest.rg combined.rg \
    constraint-out-of-reach.rg cross-friction.rg curved-hill.rg five-close.rg forced-pole.rg impasse.rg index-four.rg \
    many-zeros.rg near-cross.rg often.rg pole.rg short-crank.rg slow-slider-crank.rg start-at-rest.rg \
    start-both-vanish.rg start-just-before.rg start-open.rg start-unbounded.rg switch-behind.rg wire-hill.rg wire-jerk.rg
