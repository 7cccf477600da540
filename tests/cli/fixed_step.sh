# A fixed step has no error test: a result that a second run does not confirm is refused, with a certain digit it is not.
for step in 0.5 0.01; do
    "$REGULA" solve "$EXAMPLES/ivp/vdpol.rg" --method gauss --step $step > out.txt 2> err.txt
    echo "exit $?"
    sed 's/:.*//' err.txt
    grep -o -- 'accept-doubt' err.txt
done
"$REGULA" solve "$EXAMPLES/ivp/vdpol.rg" --method gauss --step 0.5 --accept-doubt | grep -c '^warning: no estimate'
"$REGULA" solve "$EXAMPLES/ivp/vdpol.rg" --set eps=1 --method gauss --step 0.1 > out.txt && echo "exit $?"
"$REGULA" solve "$EXAMPLES/ivp/vdpol.rg" --set eps=0.01 --to 1.9 --method sdirk --order 2 --step 0.2 > out.txt 2> err.txt
echo "exit $?"
sed 's/:.*//' err.txt
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --method lobatto-pair --stages 2 --step 0.05 --to 100 | grep -c '^warning: .*not one digit'
# One step to the end, or to the next event: the estimate is of that step, not the difference of two equal runs.
printf '%s\n' 'var x = 1' "x' = -x" 'exact x = exp(-t)' 'over t = 0 .. 1' >one.rg
printf '%s\n' 'state n = 0' 'every 0.2 { n = n + 1 }' | cat one.rg - >events.rg
for model in one events; do
    for method in "radau --stages 1" "gauss --stages 1" dopri rosenbrock; do
        for step in 0.21 0.26 1 1.33 1.4 3; do
            "$REGULA" solve $model.rg --method $method --step $step --json |
                sed -E 's/.*"errors": \{"x": ([^}]*)\}.*"estimate": ([^,]*),.*/\1 \2/' |
                awk -v what="$model, $method, $step" '{ if (!($1 < 10*$2)) print what ": error " $1 ", estimate " $2 }'
        done
    done
done
cp "$EXAMPLES/../tests/order/rk/order-index2-linear.rg" two.rg
for method in baumgarte post-stabilization half-explicit; do
    for step in 1 1.4 3; do
        "$REGULA" solve two.rg --method $method --step $step --json |
            sed -E 's/.*"errors": \{"y1": ([^,]*),.*"estimate": ([^,]*),.*/\1 \2/' |
            awk -v what="$method, $step" '{ if (!($1 < 10*$2)) print what ": error " $1 ", estimate " $2 }'
    done
done
