cp "$EXAMPLES/bvp/bratu.rg" .
"$REGULA" solve bratu.rg
