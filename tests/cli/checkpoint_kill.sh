# Runs of several methods that are killed and resumed: see tests/support/kill.sh.
# skips: bdf
. "$(dirname "$0")/../support/kill.sh"
"$REGULA" example pendulum > pendulum.rg
survives "radau" solve ../pendulum.rg --to 40
survives "passages" solve "$EXAMPLES/ivp/slider-crank.rg" --to 15
survives "srm, windows" solve "$EXAMPLES/ivp/slider-crank.rg" --method srm --to 10
survives "srm, fixed step" solve "$EXAMPLES/ivp/srm-linear.rg" --method srm --step 1e-3
survives "gauss" solve ../pendulum.rg --method gauss --to 20 --points 50
[ -z "$BDF" ] || survives "bdf" solve ../pendulum.rg --method bdf --to 12
survives "radau, fixed step" solve ../pendulum.rg --step 1e-2 --to 20
survives "half-explicit, fixed step" solve ../pendulum.rg --method half-explicit --step 1e-2 --to 20
