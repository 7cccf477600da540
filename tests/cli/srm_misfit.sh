# Models and options that do not fit: what is missing, and what to take instead.
cp "$EXAMPLES/ivp/robertson.rg" "$EXAMPLES/ivp/robot-two-link.rg" "$EXAMPLES/srm/srm-bounded.rg" "$EXAMPLES/srm/closed-chain.rg" .
for arguments in "robertson.rg --method srm" "srm-bounded.rg --variant multibody" "srm-bounded.rg --variant singulr" \
    "srm-bounded.rg --eps 0" "srm-bounded.rg --iterations 0" "srm-bounded.rg --E identity" \
    "srm-bounded.rg --method penalty --variant dirct" "robot-two-link.rg --method park-chiou" "robot-two-link.rg --method penalty --variant direct" \
    "srm-bounded.rg --scheme hein" "closed-chain.rg --set n=3000 --variant multibody-singular" "closed-chain.rg --set n=3000 --scheme radau3" \
    "srm-bounded.rg --step 0.01 --eps 1e-4 --quiet"; do
    "$REGULA" solve $arguments > /dev/null
    echo "exit status $?"
done
