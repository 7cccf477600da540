# One end alone does not turn the direction of a run; both ends together may.
printf '%s\n' 'var x = 1' "x' = -x" 'over t = 0 .. 1' > up.rg
printf '%s\n' 'var x = 1' "x' = -x" 'over t = 1 .. 0' > down.rg
for words in "up.rg --from 2" "up.rg --to -1" "down.rg --from -1" "down.rg --to 2" "up.rg --from 1" \
    "up.rg --from 0.5" "up.rg --to 3" "down.rg --to 0.5" "up.rg --from 2 --to 1" "up.rg --from 0 --to -1" "down.rg --from 0 --to 1"; do
    echo "$words"
    "$REGULA" solve $words --quiet --no-estimate --points 2 --csv - 2>&1 | cut -d, -f1
    echo "exit status ${PIPESTATUS[0]}"
done
"$REGULA" sweep up.rg --over 'start(x)=1,2' --from 2 2>&1
echo "exit status $?"
