for option in --report=a.html --checkpoint=a --resume; do
    "$REGULA" solve m.rg $option
    echo "exit $?"
done
