# tol: 0.1
# floor: 2
# What problems with switches and events cost.
. "$EXAMPLES/../tests/support/cost.sh"
cost "$EXAMPLES"/../tests/switches/*.rg
cost "$EXAMPLES"/events/*.rg
