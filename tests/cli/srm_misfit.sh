# Models and options that do not fit: what is missing, and what to take instead.
cp "$EXAMPLES/ivp/robertson.rg" "$EXAMPLES/srm/srm-bounded.rg" .
for arguments in "robertson.rg --method srm" "srm-bounded.rg --variant multibody" "srm-bounded.rg --variant singulr" \
    "srm-bounded.rg --eps 0" "srm-bounded.rg --iterations 0" "srm-bounded.rg --E identity" \
    "srm-bounded.rg --scheme hein" "srm-bounded.rg --step 0.01 --eps 1e-4 --quiet"; do
    "$REGULA" solve $arguments > /dev/null
    echo "exit status $?"
done
