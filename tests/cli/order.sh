# tol: 1e-2
# floor: 1e-12
rk=$EXAMPLES/../tests/order/rk
"$REGULA" order "$rk/order-index2.rg" --method gauss --stages 3 --steps 0.1,0.05,0.025
"$REGULA" order "$rk/order-mechanical.rg" --method lobatto3a --stages 2 --steps 0.1,0.05 --json | sed 's|"model": "[^"]*"|"model": ""|'
cp "$rk/order-index1.rg" m.rg
"$REGULA" order m.rg --method sdirk --order 3 --steps 0.05,0.025 --csv -
sed -i /exact/d m.rg
"$REGULA" order m.rg --method radau --stages 2 --steps 0.05,0.025 | sed -n 2p
# Steps that regula chooses are such that runs do not fail.
"$REGULA" order "$EXAMPLES/ivp/pendulum.rg" > out.txt
echo "exit $?"
grep -E 'begin|theory' out.txt
