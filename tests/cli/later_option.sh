for option in --checkpoint=a --resume; do
    "$REGULA" solve m.rg $option
    echo "exit $?"
done
