# Ctrl-C while a model is read or analysed, in a long sum, and in a long loop with a mistake: exit 130 at once, with a whole
# JSON object.  What would not fit into memory is refused before it is taken.
cat > big.rg <<'END'
param N = 2e6
var u[i=1..N] = sin(i)
for i = 1..N { u[i]' = -u[i] }
over t = 0 .. 1
output u[1]
END
cat > sum.rg <<'END'
param s = sum(i=1..4e8, 1/i^2)
var x = 1
x' = -s*x
over t = 0 .. 1
END
cat > index.rg <<'END'
param N = 1e8
var u[i=1..10] = 1
for i = 1..N { u[i]' = -u[i] }
over t = 0 .. 1
END
for model in big sum index; do
    for after in 0.1 0.5; do
        (ulimit -v 6000000; exec "$REGULA" solve $model.rg --json) > out.json 2> message &
        sleep $after
        begin=$(date +%s%N)
        kill -INT $!
        wait $!
        echo "$model: exit $?"
        took=$((($(date +%s%N) - begin) / 1000000))
        [ $took -le 1500 ] || echo "after $took ms" # idle: below 300
        grep -c '"status": "failed".*interrupted.*}$' out.json
        grep -c '^error: interrupted' message
    done
done
echo "1.6449338 is the sum of 3e6 terms:"
cat > known.rg <<'END'
param s = sum(i=1..3e6, 1/i^2)
var x = 1
x' = -s*x
over t = 0 .. 1
output a = s
END
"$REGULA" solve known.rg --json --no-estimate | grep -o '"a": 1.6449337'
ulimit -v 4000000
"$REGULA" check big.rg --set N=1e8
echo "exit $?"
"$REGULA" check index.rg --set N=2e8
echo "exit $?"
