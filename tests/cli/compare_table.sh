# Tables as papers have them: L Tables 5.1 (two columns), 5.2, 5.5 and 5.7 of Ascher, Lin (1993), as text, CSV and JSON.
# tol: 0.02
cp "$EXAMPLES/srm/srm-boundary.rg" "$EXAMPLES/srm/srm-singular.rg" "$EXAMPLES/srm/srm-smooth-y.rg" "$EXAMPLES/ivp/pendulum.rg" .
bvp=srm:variant=linear-by:scheme=midpoint:iterations=3
"$REGULA" compare srm-boundary.rg --step 0.01 --at 0.01,0.1,0.5,1 --methods "$bvp:layer=keep:eps=1e-2" --show-iterates --columns error,By,g
"$REGULA" compare srm-boundary.rg --step 0.01 --at 0.01,0.1,0.3,0.5 --methods "$bvp:layer=back:eps=1e-1,$bvp:layer=back:eps=1e-3" --columns error,By,iterations
rate=srm:variant=linear-by-rate:eps=0.1:iterations=3:y0=start:mesh=shift:alpha2=1
"$REGULA" compare srm-singular.rg --at 0.5 --methods "$rate:scheme=backward-euler:alpha1=0,$rate:scheme=forward-euler:alpha1=0.001" --csv -
"$REGULA" compare srm-smooth-y.rg --step 0.001 --methods srm:variant=linear-by:scheme=backward-euler:y0=start:eps=1e-1:iterations=4,park-chiou:scheme=backward-euler:eps=1e-3 --columns error,By
# Without exact solutions: against a run of radau, the velocity's residual, too.
"$REGULA" compare pendulum.rg --to 1 --at 0.5,1 --methods srm:step=0.001,radau:tol=1e-4 --columns "g,g',iterations" | sed 's/[0-9.]*e-1[0-9]/tiny/g;s/0\.00e+00/tiny/g'
"$REGULA" compare srm-singular.rg --at 0.25 --methods srm:iterations=2 --show-iterates --columns error,iterations --json | sed 's/"seconds": [^}]*/"seconds": 0/g;s/.*"table"/"table"/'
for words in "--columns error,x" "--at 2" "--columns" "--at 0.5 --points 3"; do
    "$REGULA" compare srm-singular.rg --methods srm $words
    echo "exit status $?"
done
"$REGULA" help compare | head -3
