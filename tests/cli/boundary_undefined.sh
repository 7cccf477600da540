# Conditions without a finite value name their line, in collocation and in the transfer.
cat > m.rg << 'END'
param z = 0
var y
y'' = y
over t = 0 .. 1
boundary y(0) = 1/z
boundary y(1) = 1
END
"$REGULA" solve m.rg
"$REGULA" solve m.rg --method transfer
cat > m.rg << 'END'
var y
y'' = y
over t = 0 .. 1
boundary y(0) = 1
boundary log(y(1) - 5) = 1
END
"$REGULA" solve m.rg
