# Files of several ranks, each of which writes its own blocks: frames for ParaView with the bytes of one process,
# checkpoints of the same length; a disk that is full leaves nothing that looks whole, and the checkpoint before it.
. "$(dirname "$0")/support"
export REGULA_MPIRUN="timeout -k 5 100 $REGULA_MPIRUN" # ranks that wait for ever end here
awk 'BEGIN { for (r = 0; r < 48; r++) { s = ""; for (i = 0; i < 9; i++) s = s (i ? "," : "") (r*9 + i)/432; print s } }' \
    > k.csv
cat > box.rg <<'END_MODEL'
domain x = 0..1 cells 9, y = 0..1 cells 8 periodic, z = 0..1 cells 6 stretch z^2*(3 - 2*z)*.4 + .6*z
data K = "k.csv"
solid post = abs(x - .5) < .2 and abs(y - .5) < .2 and z < .4
vector u = (z*(1 - z), 0, 0)
field p, c = x + z*K
u' + div(u*u) = .1*lap(u) - grad(p) + (c, sin(x), x*z)
div(u) = 0
c' + div(u*c) = .1*lap(c)
boundary u(front) = (1, x, 0), c(back) = x
over t = 0 .. .002
END_MODEL
cat > heat.rg <<'END_MODEL'
domain x = 0..1 cells 11, y = 0..1 cells 7
solid rod = (x - .5)^2 + (y - .4)^2 < .04
field c = x + y^2, d = sin(5*x*y)
c' = div((.1 + .05*x)*grad(c)) - .1*c
d' = .1*lap(d)
boundary flux(c, bottom) = 1 + 3*x^2, c(right) = 1 + 2*y, d(rod) = 1
over t = 0 .. .01
END_MODEL
# The numbers of heat have the same bits on any number of ranks; those of flow differ by rounding, but not the start.
"$REGULA" solve heat.rg --step .001 --at .005 --no-estimate --quiet --vtk one || fail "heat"
"$REGULA" solve box.rg --step .001 --no-estimate --quiet --vtk flow --checkpoint one.rgc || fail "box"
for n in 2 3 4; do
    "$REGULA" solve heat.rg --step .001 --at .005 --no-estimate --quiet --ranks $n --vtk r || fail "heat on $n ranks"
    for k in 0 1 2; do
        cmp one_000$k.vtr r_000$k.vtr || fail "frame $k of $n ranks has other bytes"
    done
    sed 's/"r_/"one_/' r.pvd | cmp one.pvd - || fail "another list of frames"
    rm -f r*
done
"$REGULA" solve box.rg --step .001 --no-estimate --quiet --ranks 4 --vtk r --checkpoint four.rgc || fail "box on 4 ranks"
for k in 0 1; do
    [ "$(wc -c < flow_000$k.vtr)" = "$(wc -c < r_000$k.vtr)" ] || fail "frame $k of flow has another length"
    head -c 1600 flow_000$k.vtr | cmp -n 1600 - r_000$k.vtr || fail "frame $k of flow begins otherwise"
done
[ -z "$(ls | grep '\.part\|\.new')" ] || { ls; fail "something is left over"; }
# A frame that cannot be written: told once, by all ranks; files of before stay.
ln -s /dev/full s_0000.vtr
"$REGULA" solve box.rg --no-estimate --ranks 2 --vtk s > /dev/null 2> told.txt
code=$?
[ $code -eq 1 ] && [ "$(grep -c "cannot write 's_0000.vtr'" told.txt)" = 1 ] || { cat told.txt; fail "/dev/full: exit $code"; }
[ ! -e s.pvd ] || fail "a list of frames that are not there"
mkdir small
if mount -t tmpfs -o size=40k tmpfs small 2> /dev/null; then
    "$REGULA" solve box.rg --no-estimate --ranks 2 --vtk small/s > /dev/null 2> told.txt
    code=$?
    [ $code -eq 1 ] && grep -q "cannot write 'small/s_000..vtr': No space left" told.txt \
        || { cat told.txt; umount small; fail "a full disk: exit $code"; }
    [ "$(ls small/*.vtr | wc -l)" = "$(grep -c DataSet small/s.pvd)" ] || { ls small; umount small; fail "half a frame"; }
    rm -f small/*
    # The checkpoint that there is stays when the next one has no room.
    "$REGULA" solve box.rg --step .00001 --no-estimate --ranks 2 --checkpoint small/c.rgc --checkpoint-every 1e-9 \
        > /dev/null 2> told.txt
    code=$?
    [ $code -eq 1 ] && grep -q "cannot write the checkpoint 'small/c.rgc': No space left" told.txt \
        || { cat told.txt; umount small; fail "no room for a checkpoint: exit $code"; }
    [ "$(ls small)" = c.rgc ] || { ls small; umount small; fail "half a checkpoint"; }
    grep -q '^regula checkpoint' small/c.rgc || { umount small; fail "the one before is gone"; }
    umount small
fi
