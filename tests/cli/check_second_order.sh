# tol: 1e-6
# A guess that moves, a derivative that is given, a value that nothing determines.
cat > m.rg << 'END'
title "Start values of all kinds"
var x = 1, x' = 0.5
var y ~ 3
var z
x'' = -y
y = 2*x
z' = x
over t = 0 .. 1
END
"$REGULA" check m.rg
