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
