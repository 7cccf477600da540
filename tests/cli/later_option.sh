for option in --report=a.html --svg=a --plot --native=on --guess=a.csv --continue=a=1..2 --checkpoint=a --resume; do
    "$REGULA" solve m.rg $option
    echo "exit $?"
done
