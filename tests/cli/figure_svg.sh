# Figures of outputs: what is drawn, the size of the file, choices, refusals.
# tol: 2e-3
# floor: 0.15
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --svg a.svg --show p,q,energy --quiet
[ "$(wc -c < a.svg)" -le 8000 ] && echo "at most 8 kB"
# Well-formed; the drawing without its long lines, whose points are compared in the unit tests.
if command -v xmllint > /dev/null; then xmllint --noout a.svg; else python3 -c 'import sys, xml.dom.minidom as m; m.parse("a.svg")'; fi
sed -e 's/ d="M[^"]\{200,\}"/ d="..."/' a.svg
echo "---- a phase plot, in mm"
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --svg b.svg --show p:q --size 80x60 --quiet
head -n 1 b.svg | grep -o 'width=[^ ]* height=[^ ]*'
grep -c '<path' b.svg
echo "---- logarithmic"
"$REGULA" solve "$EXAMPLES/ivp/robertson.rg" --svg c.svg --show y2 --log xy --quiet --no-estimate
grep -c 'text-anchor' c.svg
grep -o 'y2: [^<]*' c.svg
echo "---- the same from a solve line"
{ cat "$EXAMPLES/ivp/pendulum.rg"; echo 'solve svg = "d.svg"'; } > m.rg
"$REGULA" solve m.rg --show p,q,energy --quiet && cmp a.svg d.svg && echo same
echo "---- gaps"
cat > gaps.rg << 'END'
title "Logarithm & root < 'quoted' λ"
var x = 1
x' = -1
over t = 0 .. 2
output x, logarithm = log(x), λ = 3
END
"$REGULA" solve gaps.rg --svg e.svg --points 41 --quiet
xmllint --noout e.svg 2> /dev/null || python3 -c 'import xml.dom.minidom as m; m.parse("e.svg")'
grep -o 'logarithm: [^<]*' e.svg
grep '<title>' e.svg
echo "---- one point"
"$REGULA" solve gaps.rg --svg f.svg --at 0.5 --quiet && grep -c '<circle' f.svg
echo "---- refusals"
for flags in "--svg none/a.svg" "--svg a.svg --show energi" "--svg a.svg --show p:zz" "--svg a.svg --log z" "--svg a.svg --size 3x2" "--svg a.svg --size big"; do
    "$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" $flags --quiet --no-estimate 2>&1
    echo "exit $?"
done
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" --svg /dev/full --quiet --no-estimate 2>&1
echo "exit $?"
