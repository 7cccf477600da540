# Standard output gets the same rows as a file, also where the run is repeated with other tolerances or on another form
# of the equations.
cat > enzyme.rg << 'END'
var S = 1e-6, E = 1e-9, ES = 0, P = 0
S' = -1e6*E*S + ES
E' = -1e6*E*S + 1.1*ES
ES' = 1e6*E*S - 1.1*ES
P' = 0.1*ES
over t = 0 .. 10000
END
for model in enzyme.rg "$EXAMPLES/singular/slider-crank-swing.rg" "$EXAMPLES/ivp/pendulum.rg"; do
    "$REGULA" solve "$model" --points 11 --csv file.csv --quiet 2> /dev/null
    "$REGULA" solve "$model" --points 11 --csv - --quiet 2> /dev/null | cmp - file.csv && echo same
done
"$REGULA" solve enzyme.rg --csv - --quiet > /dev/full
