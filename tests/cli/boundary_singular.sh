# tol: 1e-6
# y = c*sin(pi*x) solves it for every c; with y(1) = 1 nothing does.
cat > m.rg << 'END'
param end_value = 0
var y
y'' = -pi^2*y
over x = 0 .. 1
boundary y(0) = 0
boundary y(1) = end_value
END
"$REGULA" solve m.rg | sed -e 's/, [^ ]* s$//' -e 's/by [0-9e+]*;/by MUCH;/' -e 's/interval: [0-9.e-]*,/interval: MUCH,/'
"$REGULA" solve m.rg --set end_value=1
