# Help on commands, methods and options; words that are near.
"$REGULA" help compare | head -n 1
"$REGULA" help order | tail -n 1
"$REGULA" help dopri
"$REGULA" help tol | head -n 4
"$REGULA" help --csv
"$REGULA" help max-steps | head -n 1
"$REGULA" help formulatoin; echo "exit $?"
"$REGULA" help --nothing; echo "exit $?"
for command in solve check compare order plot expand example completion; do
    "$REGULA" "$command" -h > own || echo "$command -h fails"
    [ -s own ] && "$REGULA" help "$command" | head -n "$(wc -l < own)" | cmp - own
done
# Nothing is wider than 80 columns without a terminal.
for topic in "" options check compare order plot language grids exit json csv methods srm example completion; do
    "$REGULA" help $topic | awk -v topic="$topic" 'length($0) > 80 { print topic ": " $0 }'
done
