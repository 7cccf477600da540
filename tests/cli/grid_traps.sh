# Traps of models with fields: what cannot be solved is said, with a place and a remedy; nothing is lost.
# tol: 1e-6
# floor: 1e-12
. "$(dirname "$0")/../support/lid.sh"
darcy() { # the lines before, and behind
    printf '%s\n' "domain x = 0..1 cells 4, y = 0..1 cells 4" "$1" "field p, c = 0" "vector u" "$2" "div(u) = 0" \
        "c' + div(u*c) = 0" "$3" "over t = 0 .. .1" "output m = mean(c), q = integral(u[x], right)" > trap.rg
    "$REGULA" solve trap.rg --quiet --json --no-estimate | grep -oE '"(status|m|q)": [^,}]*'
    echo "exit ${PIPESTATUS[0]}"
}
echo "a solid covers a well"
darcy 'solid rock = x < .3' 'u = -grad(p)' 'well in at (0, 0) rate 1
well out at (1, 1) rate -1'
echo "K below 0, K = 0, contrast 1e12, a number that is none"
printf '1,2,3,4\n1,2,-3,4\n1,2,3,4\n1,2,3,4\n' > k.csv
darcy 'data K = "k.csv"' 'u/K = -grad(p)' 'boundary p(left) = 1, p(right) = 0'
printf '1,2,3,4\n1,2,0,4\n1,2,3,4\n1,2,3,4\n' > k.csv
darcy 'data K = "k.csv"' 'u = -K*grad(p)' 'boundary p(left) = 1, p(right) = 0'
printf '1,1,1,1\n1e-12,1e-12,1e-12,1e-12\n1,1,1,1\n1e-12,1e-12,1e-12,1e-12\n' > k.csv
darcy 'data K = "k.csv"' 'u/K = -grad(p)' 'boundary p(left) = 1, p(right) = 0, c(left) = 1'
printf '1,2,3,4\n1,nan,3,4\n1,2,3,4\n1,2,3,4\n' > k.csv
darcy 'data K = "k.csv"' 'u/K = -grad(p)' 'boundary p(left) = 1, p(right) = 0'
printf '1,2,3,4\n1,,3,4\n1,2,3,4\n1,2,3,4\n' > k.csv
darcy 'data K = "k.csv"' 'u/K = -grad(p)' 'boundary p(left) = 1, p(right) = 0'
echo "no file"
darcy 'data K = "none.csv"' 'u/K = -grad(p)' 'boundary p(left) = 1, p(right) = 0'
echo "rates that do not add up"
darcy '' 'u = -grad(p)' 'well in at (0, 0) rate 1'
echo "one cell across"
cat > thin.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 1
field p, c = 0
vector u
u = -grad(p)
div(u) = 0
c' + div(u*c) = 0
boundary p(left) = 1, p(right) = 0, c(left) = 1
over t = 0 .. 2
output m = mean(c), q = integral(u[x], right)
END
"$REGULA" solve thin.rg --no-estimate | grep -E '  [mq] '
echo "interrupted: frames that were written stay whole"
lid long.rg 16 .01 1e6 'm = maximum(u[x])'
"$REGULA" solve long.rg --quiet --no-estimate --vtk long --step 1e-2 2> message &
pid=$!
for k in $(seq 100); do [ -f long.pvd ] && break; sleep .1; done
kill -INT $pid
wait $pid
echo "exit $?"
sed 's/t = .*/t = .../' message
[ -f long_0001.vtr ] && grep -c 'DataSet' long.pvd
ls *.part 2> /dev/null
echo end
