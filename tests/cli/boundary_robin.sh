# tol: 1e-6
# Conditions that begin with a sign or a bracket.
cat > robin.rg << 'END'
param a = 1, b = 1, k = 2
var y
y'' = y
over t = 0 .. 1
boundary (a + b)*y(0) = 2
boundary -k*y(1) + y'(1) = 0
END
"$REGULA" solve robin.rg --at 0,1 --csv - --quiet
