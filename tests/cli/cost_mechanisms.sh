# tol: 0.1
# floor: 2
# What mechanisms that pass singular positions cost.
. "$EXAMPLES/../tests/support/cost.sh"
cd "$EXAMPLES/../tests/mechanisms" || exit 1
cost antiparallelogram.rg change-point.rg dart.rg figure-eight.rg kite.rg lemniscate.rg nodal-cubic.rg \
    slider-swinging.rg spherical-kite.rg two-cylinders.rg viviani.rg
