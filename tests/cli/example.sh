# Every model of the list can be printed as it is, and so can the files that models read.
"$REGULA" example | while read -r name title; do
    [ -n "$title" ] || echo "$name has no title"
    [ -f "$EXAMPLES"/*/"$name" ] && "$REGULA" example "$name" | cmp - "$EXAMPLES"/*/"$name" && continue
    "$REGULA" example "$name" | cmp - "$EXAMPLES"/*/"$name.rg"
done
"$REGULA" example | grep '^pendulum '
