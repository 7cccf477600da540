cp "$EXAMPLES/../tests/order/rk/order-index3.rg" m.rg
for words in "order m.rg --method gauss --steps 0.3,0.15" "order m.rg --method gauss --steps 0.1,x" \
    "order m.rg --method gauss --steps 0.1" "order m.rg --method gauss --steps 1e-9,5e-10" \
    "order m.rg --method bdf" "order m.rg --method collocation" \
    "order m.rg --method lobatto3a --stages 1" "order m.rg --method sdirk --order 5" \
    "order m.rg --method gauss --stages 1 --steps 0.0125,0.00625 --formulation direct --quiet" \
    "solve m.rg --method gauss --stages 2 --step 0.1 --formulation direct" "solve m.rg --method radau1a"; do
    "$REGULA" $words
    echo "exit $?"
done
