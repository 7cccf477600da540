# Boundary values by several methods; the time that they take is cut off.  Without an exact solution collocation makes the reference.
# tol: 0.02
cp "$EXAMPLES/transfer/turning.rg" "$EXAMPLES/transfer/petry-6-2.rg" "$EXAMPLES/transfer/beam.rg" .
"$REGULA" compare turning.rg --tol 1e-8 --methods transfer,transfer:stages=2,transfer:scheme=radau,collocation | sed 's/ *[^ ]*$//;s/ evaluations$//'
"$REGULA" compare petry-6-2.rg --methods transfer,collocation,srm --csv - | cut -d, -f1-3,5,7
"$REGULA" compare beam.rg --methods collocation,transfer --json | sed 's/"seconds": [^}]*/"seconds": 0/g;s/"errors": {[^}]*}/"errors": {}/g'
