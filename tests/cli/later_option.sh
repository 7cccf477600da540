for option in --report=a.html --svg=a --plot --checkpoint=a --resume; do
    "$REGULA" solve m.rg $option
    echo "exit $?"
done
