# Several mistakes are told in the order of the text; what follows from another one is not told.
cat > m.rg << 'END'
boundary x(1) = y
var x = q
x' = z
var w[i=1..0.5]
param a = b
over t = 0 .. c
END
"$REGULA" check m.rg 2>&1 | grep error:
"$REGULA" check m.rg --json 2> /dev/null | grep -o '"line": [0-9]*'
printf "boundary x(3) = 1\nvar x = 1\nx'' = 0\nover t = 1 .. 1\n" | "$REGULA" check - 2>&1 | grep error:
true
