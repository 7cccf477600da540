# What the estimate leaves out at a singular place is told; models without one, or without algebraic unknowns, say nothing.
# tol: 0.02
cp "$EXAMPLES/bvp/index2-singular.rg" "$EXAMPLES/bvp/index2-mixed.rg" .
"$REGULA" solve index2-singular.rg | grep 'left out'
"$REGULA" solve index2-mixed.rg | grep -c 'left out'
