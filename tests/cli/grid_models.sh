# The models of examples/grids, coarser or shorter than they are written: all of them run, and give what they gave.
# tol: 1e-4
# floor: 1e-7
run() { # NAME: further words are options
    local name=$1
    shift
    echo "$name"
    "$REGULA" solve "$EXAMPLES/grids/$name.rg" --no-estimate --json "$@" |
        grep -oE '"status": "[a-z]*"|"values": [^}]*|"errors": [^}]*'
}
run example41 --set N=16 --step .01
run cavity --set N=16 --to 2 --step .02
run obstacle --to .02 --step .002
run taylor-green --set N=16 --step .05
run taylor-green-3d --set N=8 --to 1 --step .05
run five-spot --set N=10 --step .002
run layer --to .02
run buoyant --set N=12 --to .05 --step 5e-4
