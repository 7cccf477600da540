# Ctrl-C and kill while a compiler is at work: exit 130, and neither files nor processes are left.
mkdir tmp
export TMPDIR=$PWD/tmp
printf '#!/bin/sh\nsleep 77.77 &\necho > "$TMPDIR/own.s"\nwait\n' > slow
chmod +x slow
export CC="/bin/sh $PWD/slow"
for signal in INT TERM; do
    "$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --native on --json > out.json 2> message &
    for k in 1 2 3 4 5 6 7 8 9 10; do
        ls tmp/*/own.s > /dev/null 2>&1 && break
        sleep 0.2
    done
    ls tmp | wc -l
    kill -$signal $!
    wait $!
    echo "exit $?"
    grep -o '"status": "failed", "message": "interrupted' out.json
    ls tmp
done
grep -al '[7]7\.77' /proc/[0-9]*/cmdline 2> /dev/null
exit 0
