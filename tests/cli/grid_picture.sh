# Pictures of draw items, as SVG and PNG, read back by an independent reader: a plane, a slice of space, a line.
cat > cavity.rg << 'END'
title "Cavity & <lid>"
param N = 16
domain x = 0..1 cells N, y = 0..1 cells N
solid post = abs(x - .5) < .13 and abs(y - .3) < .13
vector u = (0, 0)
field p, c = x
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = 0
boundary u(top) = (1, 0)
over t = 0 .. .1
output m = maximum(c)
draw c, curl(u), lines(u), log10(c + 1)
END
cat > line.rg << 'END'
domain s = 0..1 cells 20
field c
0 = lap(c) + 2
boundary c(left) = 0, c(right) = 0
END
cat > space.rg << 'END'
domain x = 0..2 cells 4, y = 0..1 cells 4, z = 0..1 cells 4
field c = x
c' = lap(c)
over t = 0 .. .01
draw c
END
"$REGULA" solve cavity.rg --svg a.svg --png a.png --quiet --no-estimate
"$REGULA" solve line.rg --svg b.svg --quiet
"$REGULA" solve space.rg --svg c.svg --quiet
command -v python3 > /dev/null && python3 "$EXAMPLES/../tests/support/read_picture.py" a.svg a.png b.svg c.svg
# values that differ by rounding have a scale of one mark (it was counted by steps too small to count)
cat > flat.rg << 'END'
domain x = 0..1 cells 8
field c = 1.14 + if(x < .5, 3e-16, 0)
c' = 1e-9*lap(c)
over t = 0 .. 1e-3
END
timeout 20 "$REGULA" solve flat.rg --svg f.svg --quiet --no-estimate
echo "exit $?"
sed 's/cells 8/cells 8, y = 0..1 cells 4/' flat.rg > flat2.rg
timeout 20 "$REGULA" solve flat2.rg --svg f.svg --quiet --no-estimate
echo "exit $?"
"$REGULA" solve cavity.rg --png nowhere/a.png --quiet
echo "exit $?"
sed 's/draw c/draw c, lines(c)/' space.rg > bad.rg
"$REGULA" check bad.rg --quiet
echo "exit $?"
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --png a.png --quiet
echo "exit $?"
# a title fits on the sheet: smaller letters, at last without its end
for n in 1 4 9; do
    printf 'title "%s"\n' "$(printf "A rather long title; %.0s" $(seq $n))" > title.rg
    cat space.rg >> title.rg
    "$REGULA" solve title.rg --svg t.svg --quiet --no-estimate
    sed -n 's/.*width="\([0-9.]*\)".*viewBox.*/\1/p; s/.*font-size="\([0-9.]*\)"[^>]*>\(A rather[^<]*\)<.*/\1 \2/p' t.svg |
        awk 'NR == 1 { width = $1; next }
             { size = $1; sub(/^[^ ]* /, ""); print ($0 ~ /t = 0.01$/ ? "has its time" : "no time"), $0 ~ /\.\.\./ ? "cut" : "whole"
               print .6*size*length($0) <= width ? "fits" : "too long" }'
done
