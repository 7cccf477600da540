cp "$EXAMPLES/../tests/order/rk/order-index2.rg" m.rg
"$REGULA" order m.rg --method gauss --steps 0.1,0.05 --svg a.svg --csv a.csv --quiet
echo "exit $?"
grep -c "stroke-width=\"1.2\"" a.svg
grep -c dasharray a.svg
grep "theory" a.svg | sed 's/.*">//'
grep ">order " a.svg | sed 's/.*">//'
wc -l < a.csv
"$REGULA" order m.rg --method gauss --steps 0.1,0.05 --svg none/a.svg --quiet 2>&1
echo "exit $?"
# more unknowns than lines: some of every kind, and how many
cat >b.rg <<'EOF'
var y ~ 1, z ~ 1
var x[i=1..30] = 1
for i = 1..30 {
  x[i]' = -i/10*x[i]
}
y' = z^3 - y
y = 1 + sin(t)
over t = 0 .. 1
EOF
"$REGULA" order b.rg --method radau --stages 2 --svg b.svg --quiet
echo "exit $?"
grep -c "theory" b.svg
grep -c ">z: 2" b.svg
grep -c "8 of 3[12] unknowns</text>" b.svg
grep ">order " b.svg | sed 's/.*">//'
