# Checkpoints of runs on several ranks: one of 2 ranks is resumed on 2 with the same bits as without a pause, and on 1
# and 4 with the same fields within what linear systems are solved to; that of one process on 2.
. "$(dirname "$0")/support"
cat > flow.rg <<'END'
domain x = 0..1 cells 32, y = 0..1 cells 24
solid bar = abs(x - .45) < .1 and abs(y - .6) < .1
vector u = (0, 0)
field p, c = y
u' + div(u*u) = .01*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = .01*lap(c)
boundary u(top) = (1, .0), c(bottom) = 1
over t = 0 .. 1
output e = integral(dot(u, u)), m = mean(c)
END
options="--step .0025 --no-estimate --solver_tol 1e-13 --checkpoint-every 0 --points 2"
# begin RANKS: a run that is ended after some checkpoints; c.rgc stays.  Again where it was done before that.
begin() {
    for try in $(seq 20); do
        rm -f c.rgc begun.csv*
        "$REGULA" solve flow.rg $options --ranks $1 --checkpoint c.rgc --csv begun.csv > /dev/null 2> told.txt &
        run=$!
        for k in $(seq 5000); do
            [ "$(stat -c %s c.rgc 2> /dev/null || echo 0)" -gt 10000 ] && break
            sleep .002
        done
        kill -INT $run 2> /dev/null
        wait $run
        code=$?
        [ -e begun.csv ] && continue
        [ $code -eq 130 ] || { cat told.txt; fail "the run was not interrupted"; }
        grep -q "goes on from 'c.rgc'" told.txt || { cat told.txt; fail "no hint how to go on"; }
        return
    done
    fail "all runs were done before they could be interrupted"
}
# resume RANKS FILE: goes on from a copy.
resume() {
    cp kept.rgc c.rgc
    cp kept.csv.part begun.csv.part
    "$REGULA" solve flow.rg $options --ranks $1 --checkpoint c.rgc --resume --csv begun.csv --fields $2 --quiet \
        || fail "resumed on $1 ranks: exit $?"
    [ "$(wc -l < begun.csv)" = 3 ] || fail "rows are missing"
}
"$REGULA" solve flow.rg $options --checkpoint whole.rgc --fields one.csv --csv one-rows.csv --quiet || fail "one process"
"$REGULA" solve flow.rg $options --ranks 2 --checkpoint whole2.rgc --fields two.csv --csv two-rows.csv --quiet \
    || fail "two ranks"
begin 2
cp c.rgc kept.rgc
cp begun.csv.part kept.csv.part
resume 2 again.csv
cmp two.csv again.csv || fail "other bits after a pause"
cmp two-rows.csv begun.csv || fail "other bits in the rows"
for n in 1 4; do
    resume $n other.csv
    paste -d , one.csv other.csv | awk -v name="resumed on $n" -v tol=1e-11 -f "$(dirname "$0")/compare.awk" \
        || fail "resumed on $n ranks: fields differ"
done
begin 1
cp c.rgc kept.rgc
cp begun.csv.part kept.csv.part
resume 2 other.csv
paste -d , one.csv other.csv | awk -v name="resumed on 2" -v tol=1e-11 -f "$(dirname "$0")/compare.awk" \
    || fail "from one process: fields differ"
# A damaged file is refused by all.
printf x | dd of=c.rgc bs=1 seek=2000 conv=notrunc 2> /dev/null
"$REGULA" solve flow.rg $options --ranks 2 --checkpoint c.rgc --resume > /dev/null 2> told.txt
[ $? -eq 2 ] && [ "$(grep -c "damaged\|checksum" told.txt)" = 1 ] || { cat told.txt; fail "a damaged file"; }
