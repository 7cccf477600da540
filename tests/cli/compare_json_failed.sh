# With --json a comparison or a measurement that cannot begin prints an object that says why, as solve does.
cp "$EXAMPLES/ivp/pendulum.rg" p.rg
for words in "compare p.rg --methods radua" "compare none.rg --methods radau" "compare p.rg" "compare p.rg --bogus" \
    "compare --methods radau" "compare p.rg --methods radau --at 99" "compare p.rg --methods radau --csv -" \
    "order p.rg --bogus" "order none.rg" "order p.rg --method radau --csv -"; do
    "$REGULA" $words --json 2> messages
    echo "exit $?: $words"
    grep -c '^error' messages
done
