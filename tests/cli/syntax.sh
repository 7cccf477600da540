# Several errors in one run, each with its place.
cat > m.rg << 'END'
var x = 1
x' = -x)
0 = 3 + * x
over t = 0 .. 1
END
"$REGULA" check m.rg
