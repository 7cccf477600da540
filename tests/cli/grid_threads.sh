# Threads share the loops over the rows of large grids: every field is the same bit by bit.
# only: test-all
cat << END > channel.rg
domain x = 0..4 cells 420, y = 0..1 cells 260
solid block = abs(x - 1) < .1 and abs(y - .5) < .1
vector u ~ (1, 0)
field p, c = 0
u' + div(u*u) = .01*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = .001*lap(c)
boundary u(left) = (4*y*(1 - y), 0), c(left) = 1, p(right) = 0
over t = 0 .. .001
END
cat << END > porous.rg
domain x = 0..1 cells 340, y = 0..1 cells 300
field p, c = 0
vector u
u = -(1 + c)*exp(sin(9*x)*cos(7*y))*grad(p)
div(u) = 0
c' + div(u*c) = div(dispersion(u, 1e-4, .01, .001)*grad(c))
well in at (0, 0) rate 1 with c = 1
well out at (1, 1) rate -1
over t = 0 .. 4e-6
END
same() { # model, options
    for n in 1 2 3; do
        "$REGULA" solve "$@" --threads $n --no-estimate --quiet --fields fields$n.csv > out$n || echo "exit $?"
    done
    cmp fields1.csv fields2.csv && cmp fields1.csv fields3.csv && cmp out1 out2 && echo "$(basename $1): the same"
}
same "$EXAMPLES/grids/cavity.rg" --set N=340 --to .005
same "$EXAMPLES/grids/taylor-green-3d.rg" --set N=48 --to .1
same channel.rg
same porous.rg --step 2e-6
"$REGULA" solve "$EXAMPLES/grids/cavity.rg" --threads 17
echo "exit $?"
# a run that is stopped goes on with another number of them
"$REGULA" solve "$EXAMPLES/grids/cavity.rg" --set N=16 --to .2 --max_steps 10 --no-estimate --quiet --checkpoint run.ck \
    --checkpoint-every 0 --threads 2 > /dev/null 2>&1
"$REGULA" solve "$EXAMPLES/grids/cavity.rg" --set N=16 --to .2 --max_steps 10 --no-estimate --quiet --checkpoint run.ck \
    --resume --threads 3 2>&1 | grep -c 'belongs to another run'
true
