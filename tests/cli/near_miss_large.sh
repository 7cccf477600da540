# Forty windows side by side, one bar 1e-10 too long: not singular, and which way the motion turns is not decided at this tolerance.
sed -e 's/param N = 2,/param N = 40, delta = 1e-10,/' -e 's/= i, y\(.*\)= 1, x\(.*\)= 1, y\(.*\)= 0/~ i, y\1~ 1, x\2~ 1, y\3~ 0/' \
    -e 's|(y\[i\] - y\[i-1\])^2 - 1)/2 = 0|(y[i] - y[i-1])^2 - if(i == 20, (1 + delta)^2, 1))/2 = 0|' "$EXAMPLES/singular/four-bar.rg" > imperfect.rg
"$REGULA" solve imperfect.rg --to 1 --no-estimate 2>&1 | sed -n 's/.*\(come within\) [^ ]* \(of a singular position without reaching it\).*/\1 \2/p'
"$REGULA" solve imperfect.rg --set delta=0 --to 1 --no-estimate 2>&1 | grep -c 'passed 1 singular place'
