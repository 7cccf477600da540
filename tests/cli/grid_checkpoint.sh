# Checkpoints of grids follow the work that was done, not the times of outputs: they are there with few steps between
# two outputs, and after few steps of many cells.  (That runs go on to the same bits: checkpoint_kill_grids.sh.)
# only: test-all
kept() { # NAME, options of solve
    local name=$1
    shift
    "$REGULA" solve "$@" --no-estimate --quiet --checkpoint file --checkpoint-every 0 > /dev/null 2> message
    echo "$name: exit $?, $(cut -d' ' -f1-5 message | head -n 1), $([ "$(wc -c < file)" -gt 4000 ] && echo "fields kept" || echo "nothing yet")"
    rm -f file
}
kept "12 steps from output to output" "$EXAMPLES/grids/cavity.rg" --set N=8 --points 41 --max_steps 120
kept "no more than 100 steps" "$EXAMPLES/grids/cavity.rg" --set N=8 --points 41 --max_steps 90
cat > large.rg << 'END'
domain x = 0..1 cells 800000
field c = 1
c' = -c
over t = 0 .. 1
output a = c(.5)
END
kept "55 steps of 8e5 cells" large.rg --step .01 --max_steps 55
