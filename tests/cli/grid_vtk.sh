# Fields for ParaView and as numbers: read back by an independent reader; without room the part that was written
# stays and is named.
# tol: 1e-3
# floor: 1e-9
cat > cavity.rg << 'END'
param Re = 100, N = 8
domain x = 0..1 cells N, y = 0..1 cells N
solid post = abs(x - .5) < .13 and abs(y - .3) < .13
vector u = (0, 0)
field p, c = x
u' + div(u*u) = lap(u)/Re - grad(p)
div(u) = 0
c' + div(u*c) = 0
boundary u(top) = (1, 0)
over t = 0 .. 1
output m = maximum(c)
END
mkdir out
"$REGULA" solve cavity.rg --step .05 --points 3 --vtk out/cavity --fields fields.csv --quiet
ls out
command -v python3 > /dev/null && python3 "$EXAMPLES/../tests/support/read_vtr.py" out/cavity.pvd
head -n 2 fields.csv
wc -l < fields.csv
sed -n '2,$p' fields.csv | cut -d, -f1,2 | grep -cE '^0.4375,0.3125|^0.5625,0.3125'
"$REGULA" solve cavity.rg --quiet --vtk nowhere/cavity
echo "exit $?"
trap '' XFSZ
sed -i 's/N = 8/N = 32/' cavity.rg
ulimit -f 8
"$REGULA" solve cavity.rg --quiet --step .05 --to .1 --vtk full
echo "exit $?"
ls full*
