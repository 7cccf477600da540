# Every model of the list can be printed as it is.
"$REGULA" example | while read -r name title; do
    [ -n "$title" ] || echo "$name has no title"
    "$REGULA" example "$name" | cmp - "$EXAMPLES"/*/"$name.rg"
done
"$REGULA" example | grep '^pendulum '
