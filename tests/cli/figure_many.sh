# Many outputs: some lines of a long array, and a caption that tells how many are not shown.
cat > m.rg << 'END'
param N = 700
var u[i=1..N] = i/N
for i = 1..N { u[i]' = -i*u[i]/N }
over t = 0 .. 1
END
"$REGULA" solve m.rg --svg a.svg --quiet --no-estimate
grep -o '[0-9]* more outputs[^<]*' a.svg
grep -c '<path' a.svg
"$REGULA" solve m.rg --svg b.svg --show 'u[3],u[699]' --quiet --no-estimate
grep -o '>u\[[0-9]*\]<' b.svg | sort
[ "$(wc -c < a.svg)" -le 20000 ] && echo small
"$REGULA" solve m.rg --svg b.svg --show 'u' --quiet --no-estimate
grep -o '[0-9]* more outputs[^<]*' b.svg
