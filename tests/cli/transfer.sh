# Linear boundary value problems by the Abramov transfer: summary, chosen times, refusals.
# tol: 1e-8
# floor: 1e-14 (derivatives that are 0 by symmetry)
"$REGULA" solve "$EXAMPLES/transfer/petry-6-2.rg" --tol 1e-10 --json --no-estimate | grep -oE '"(method|status)": "[a-z]*"'
"$REGULA" solve "$EXAMPLES/transfer/beam.rg" --tol 1e-10 --at 0.5 --csv - --quiet
"$REGULA" solve "$EXAMPLES/transfer/petry-6-1.rg" --stages 2 --variant 16 --initial 8ab --csv - --at 2 --quiet --set beta=0 | cut -d, -f1
cp "$EXAMPLES/bvp/bratu.rg" . && "$REGULA" solve bratu.rg --method transfer
"$REGULA" solve bratu.rg --method transfer --newton full --csv - --at 0.5 --quiet
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --method transfer
"$REGULA" solve "$EXAMPLES/transfer/beam.rg" --variant 17
true
