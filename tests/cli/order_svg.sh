cp "$EXAMPLES/../tests/order/rk/order-index2.rg" m.rg
"$REGULA" order m.rg --method gauss --steps 0.1,0.05 --svg a.svg --csv a.csv --quiet
echo "exit $?"
grep -c "stroke-width=\"1.2\"" a.svg
grep -c dasharray a.svg
grep "theory" a.svg | sed 's/.*">//'
wc -l < a.csv
"$REGULA" order m.rg --method gauss --steps 0.1,0.05 --svg none/a.svg --quiet 2>&1
echo "exit $?"
