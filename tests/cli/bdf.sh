# --method bdf: with SUNDIALS it solves; without, it says what to install (exit 3).  Either way this prints the same.
"$REGULA" solve "$EXAMPLES/ivp/chemakzo.rg" --method bdf > out 2> err
status=$?
if [ $status -eq 0 ]; then
    grep -q '^bdf, index 1: ' out && echo "solved, or told how to get it"
else
    [ $status -eq 3 ] && grep -q 'libsundials-dev' err && grep -q 'built without SUNDIALS' err &&
        echo "solved, or told how to get it"
fi
"$REGULA" solve "$EXAMPLES/ivp/ringmod-cs0.rg" --method bdf
echo "exit status $?"
"$REGULA" solve "$EXAMPLES/ivp/chemakzo.rg" --method bdf --stages 3
echo "exit status $?"
