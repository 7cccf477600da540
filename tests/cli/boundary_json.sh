# tol: 1e-6
"$REGULA" solve "$EXAMPLES/bvp/index2-end.rg" --at 0.5,1 --json | sed -e 's/"evaluations.*//' -e 's/"errors": [^}]*}/"errors"/' -e 's/"drift": \[[^]]*\]/"drift"/' -e 's/"model": "[^"]*"/"model"/' -e 's/"estimate": [^,]*/"estimate"/' -e 's/: [-0-9.]*e-1[0-9]/: 0/g'
