# Runs on several ranks that fail: all ranks end with the message of the one that has failed, told once; what is not
# divided is refused; a rank that dies ends the run with exit status 1.
. "$(dirname "$0")/support"
cat > late.rg <<'END'
domain x = 0..1 cells 16, y = 0..1 cells 8
field c = x
c' = lap(c) + sqrt(.95 - x - t)
over t = 0 .. 1
END
# Only the rank on the right sees the root of a negative number.
"$REGULA" solve late.rg --ranks 4 --no-estimate > out.txt 2> told.txt
[ $? -eq 1 ] || fail "a root of a negative number: not exit 1"
[ "$(grep -c "not a finite number" told.txt)" = 1 ] || { cat told.txt; fail "the message is not there once"; }
grep -q "late.rg:3" told.txt || fail "no place"
cat > rock.rg <<'END'
domain x = 0..1 cells 16, y = 0..1 cells 8
field p
vector u
(x - .9)*u = -grad(p)
div(u) = 0
boundary p(left) = 1, p(right) = 0
END
"$REGULA" solve rock.rg > /dev/null 2> one.txt
[ $? -eq 3 ] || fail "a resistance below 0"
{ cat rock.rg; echo "solve ranks = 2"; } > divided.rg
"$REGULA" solve divided.rg --verbose > /dev/null 2> told.txt
[ $? -eq 3 ] || fail "a resistance below 0 on two ranks"
grep -q "cell (1, 1)" told.txt || { cat told.txt; fail "another cell"; }
cat > right.rg <<'END'
domain x = 0..1 cells 16, y = 0..1 cells 8
field p, c = x
vector u
(1.45 - 1.4*c)*u = -grad(p)
div(u) = 0
c' = 1e-6*lap(c) + 1
boundary p(left) = 1, p(right) = 0
over t = 0 .. 1
END
"$REGULA" solve right.rg --ranks 2 --no-estimate > /dev/null 2> told.txt
grep -q "cell (16, 1)" told.txt || { cat told.txt; fail "a cell of the second rank is not named by its number"; }
# What is not divided.
refused() {
    "$REGULA" solve "$@" --ranks 2 > /dev/null 2> told.txt
    [ $? -eq 3 ] && grep -q "divided among ranks" told.txt || { cat told.txt; fail "$* is not refused"; }
}
refused late.rg --method radau
$REGULA_MPIRUN -n 2 "$(dirname "$REGULA")/regula-grid" compare late.rg --methods srm,projection > /dev/null 2> told.txt
[ $? -eq 3 ] && grep -q "a comparison works in one process" told.txt || { cat told.txt; fail "a comparison on 2 ranks"; }
"$REGULA" example pendulum > pendulum.rg
"$REGULA" solve pendulum.rg --ranks 2 > /dev/null 2> told.txt
[ $? -eq 2 ] && grep -q "models with fields" told.txt || fail "ranks for a model without fields"
"$REGULA" solve late.rg --ranks 1.5 > /dev/null 2> told.txt
[ $? -eq 2 ] || fail "--ranks 1.5"
"$REGULA" solve late.rg --ranks 64 --no-estimate > /dev/null 2> told.txt
[ $? -eq 2 ] && grep -q "cannot be divided among 64" told.txt || fail "too many ranks"
REGULA_MPIRUN=no-such-launcher "$REGULA" solve late.rg --ranks 2 > /dev/null 2> told.txt
[ $? -eq 2 ] && grep -q REGULA_MPIRUN told.txt || fail "no launcher"
# A file that cannot be written: the first rank alone knows.
"$REGULA" solve late.rg --to .01 --ranks 2 --csv no/such/folder.csv > /dev/null 2> told.txt
[ $? -ne 0 ] && grep -q folder.csv told.txt || fail "a file that cannot be written"
# One that is full in the middle of the run: all end with its message, nobody waits.
cat > rows.rg <<'END'
domain x = 0..1 cells 16, y = 0..1 cells 8
field c = x
c' = lap(c)
over t = 0 .. .01
draw c
END
REGULA_MPIRUN="timeout -k 5 60 $REGULA_MPIRUN" "$REGULA" solve rows.rg --step .0001 --points 100 --no-estimate --ranks 2 \
    --csv /dev/full > /dev/null 2> told.txt
code=$?
[ $code -eq 1 ] && [ "$(grep -c "cannot write '/dev/full'" told.txt)" = 1 ] || { cat told.txt; fail "rows: exit $code"; }
# One rank is killed.
cat > long.rg <<'END'
domain x = 0..1 cells 64, y = 0..1 cells 64
field c = x
c' = lap(c)
over t = 0 .. 1000
END
"$REGULA" solve long.rg --ranks 2 --no-estimate > out.txt 2> told.txt &
run=$!
victim=
for k in $(seq 100); do
    sleep .1
    launcher=$(pgrep -P $run | head -n 1)
    [ -n "$launcher" ] && victim=$(pgrep -P "$launcher" -f "regula-grid solve long.rg" | tail -n 1)
    [ -n "$victim" ] && break
done
[ -n "$victim" ] || fail "no rank"
sleep 1
kill -KILL "$victim"
wait $run
[ $? -eq 1 ] || fail "a rank that dies: not exit 1"
# An interrupt ends all of them in good order.
"$REGULA" solve long.rg --ranks 2 --no-estimate --checkpoint long.rgc > out.txt 2> told.txt &
run=$!
for k in $(seq 300); do # until it has begun
    [ -e long.rgc ] && break
    sleep .1
done
sleep 1
kill -INT $run
wait $run
[ $? -eq 130 ] && grep -q "interrupted" told.txt || { cat told.txt; fail "an interrupt"; }
