"$REGULA" check "$EXAMPLES/bvp/bratu.rg"
