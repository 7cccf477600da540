# tol: 1e-6
cp "$EXAMPLES/bvp/bratu.rg" .
"$REGULA" solve bratu.rg | sed 's/, [^ ]* s$//; /error/,$d'
