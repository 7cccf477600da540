# Little memory: solved, or "out of memory" once, at once; with more of it, never worse.
for case in ivp/pendulum:0.1 ivp/ringmod:1e-6 bvp/bratu:1 transfer/beam:1 grids/cavity:0.1 singular/slider-crank-swing:0.1; do
    model=${case%:*} to=${case#*:}
    [ -f "$EXAMPLES/$model.rg" ] || { echo "there is no $model"; continue; }
    before=1
    for limit in 40 60 80 100 140 180 220 260 400 1000; do
        (ulimit -v $((limit * 1024)); timeout 10 "$REGULA" solve "$EXAMPLES/$model.rg" --to "$to" --no-estimate > out 2> message)
        status=$?
        case $status in
        0) before=0 ;;
        127) [ $before -eq 1 ] || echo "$model: the program does not start with $limit MB" ;; # the loader's own
        1)
            [ $before -eq 1 ] || echo "$model: fails with $limit MB, not with less"
            [ "$(grep -c 'out of memory\|fit into memory' message)" -eq 1 ] || { echo "$model, $limit MB:"; cat message; } ;;
        *) echo "$model: exit $status with $limit MB"; cat message ;;
        esac
    done
    [ $before -eq 0 ] && echo "$model is solved in the end"
done
# The program itself starts and ends with little.
for limit in 40 60 80 100 150; do
    (ulimit -v $((limit * 1024)); timeout 5 "$REGULA" --version > /dev/null) || echo "--version fails with $limit MB"
done
