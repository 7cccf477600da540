# A mistake in a loop's range is told once, although the block is read for equations, conditions and outputs.
cat > model.rg <<'MODEL'
param N = 3
var u[i=1..N] = 1
for N = 1..3 {
    u[N]' = -ln(u[N])
}
over t = 0 .. 1
MODEL
"$REGULA" check model.rg
