# Bad input of srm: every message names the cause and one thing to do, and what it says works.
# tol: 0.02
sed -e 's/over t = 0 .. 1/over t = 0.5 .. 1/' -e 's/x1 = -0.5, x2 = -0.25/x1 = 0, x2 = 0/' -e 's/^var y$/var y ~ exp(0.5)/' \
    "$EXAMPLES/srm/srm-bounded.rg" > singular-start.rg
cp "$EXAMPLES/srm/srm-singular.rg" "$EXAMPLES/srm/coulomb-friction.rg" "$EXAMPLES/srm/srm-nonlinear-y.rg" "$EXAMPLES/srm/closed-chain.rg" "$EXAMPLES/srm/srm-order-three.rg" .
printf "%s\n" "var a = 0, u = 1, p = 0" "var y" "a' = u" "u' = p" "p' = -cos(t) - y" "0 = a - sin(t)" "over t = 0 .. 2" > chain.rg
for arguments in "singular-start.rg" "singular-start.rg --step 0" "singular-start.rg --y0 start1" "singular-start.rg --E inverse --variant basic" \
    "srm-singular.rg --scheme radau" "srm-singular.rg --scheme dopri5" "srm-singular.rg --step 0 --method post-stabilization --scheme dopri5" \
    "srm-singular.rg --eps -1" "srm-singular.rg --step -1" "srm-singular.rg --iterations 2.5" "srm-singular.rg --E invers" "srm-singular.rg --alpha2 0" \
    "coulomb-friction.rg --variant multibody" "coulomb-friction.rg --alpha1 1" "coulomb-friction.rg --method baumgarte" \
    "srm-nonlinear-y.rg --variant basic" "srm-nonlinear-y.rg --alpha1 1" "closed-chain.rg --set n=3000 --scheme radau --step 0" \
    "srm-singular.rg --max-steps 3" "srm-singular.rg --step 0 --max-steps 3" "srm-singular.rg --step 0 --scheme dopri5 --max-steps 3" \
    "srm-order-three.rg --method baumgarte" "srm-order-three.rg --variant second-order" "srm-order-three.rg --formulation projected" "chain.rg --method srm"; do
    echo "$arguments" >&2
    "$REGULA" solve $arguments > /dev/null
    echo "exit status $?" >&2
done
# G B = diag(1, -d): indefinite as long as d is above rounding; below, the second constraint is not enforced
printf "%s\n" "param d = 1" "var x = 0, y = 1, a, b" "x' = a + cos(t)" "y' = -d*b - sin(t)" "x = sin(t)" "y = cos(t)" "over t = 0 .. 1" > sign.rg
for d in 1 3e-11 3e-14; do
    "$REGULA" solve sign.rg --method srm --variant basic --E identity --set d=$d 2>&1 | grep -oE 'indefinite|does not enforce line .'
done
# a step inside the region that was predicted, and one outside: the same run, stable and not
for step in 0.0025 0.003; do
    "$REGULA" solve srm-singular.rg --step $step --eps 0.001 --iterations 2 --no-estimate 2>&1 | grep -E '^warning|^error|remedy|  x2  ' | tail -n 3
done
"$REGULA" solve singular-start.rg --variant basic --E shifted --no-estimate | grep '  x1 ' | tail -n 1
