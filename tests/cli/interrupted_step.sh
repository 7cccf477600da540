# Ctrl-C within a step that takes seconds: the program does not wait for its end.  Exit 130, the rows so far are whole, the
# JSON object too, and neither private files nor temporary folders are left.
# only: test-all
cat > slow.rg <<'END'
param N = 4e6
var x = 1, z = 1
x' = -x + cos(t) + 1e-9*sum(i=1..N, sin(i*x))
z' = -z
over t = 0 .. 1000
END
mkdir tmp
export TMPDIR=$PWD/tmp

# ends SIGNAL: the run in the background, by that signal
ends() {
    begin=$(date +%s%N)
    kill -"$1" $!
    wait $!
    echo "$1: exit $?"
    took=$((($(date +%s%N) - begin) / 1000000))
    [ $took -le 1000 ] || echo "after $took ms" # idle: below 250
    grep -o '"status": "failed", "message": "interrupted at t = ' out.json
    grep -o "^error: interrupted at" message
    grep -o "the rows so far are in 'o.csv.part'" message
    [ "$(tail -c 1 o.csv.part | od -An -c | tr -d ' ')" = '\n' ] && [ "$(awk -F, 'NF != 3' o.csv.part)" = "" ] && echo "whole lines"
    ls
    ls tmp
}

# ticks: processor time of the run in the background
ticks() {
    awk '{print $14}' /proc/$!/stat
}

"$REGULA" solve slow.rg --no-estimate --json --csv o.csv --checkpoint c > out.json 2> message &
until [ -s o.csv.part ] && [ "$(wc -l < o.csv.part)" -ge 3 ]; do sleep 0.05; done
there=$(ticks)
ends INT
grep -o "the same command with --resume goes on from 'c'" message
rm -f o.csv.part c
# Now the rows wait in a buffer.
"$REGULA" solve slow.rg --no-estimate --json --csv o.csv > out.json 2> message &
until [ "$(ticks)" -gt $((2 * there)) ]; do sleep 0.05; done
ends TERM
