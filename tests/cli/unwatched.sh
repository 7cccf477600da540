# Runs that nobody watches for positions where constraints lose rank say so, where the constraints can lose it.
cat > varying.rg << 'MODEL'
# the second and the third equation hide 0 = x1 + x2 - sin(t): the factor of their combination varies
var x1 = 1, x2 = -1, y
x1' = -x1 + y
x2' = y + x1
(1 + x1^2)*(x2' - y - x1) = x1 + x2 - sin(t)
over t = 0 .. 1
MODEL
cat > constant.rg << 'MODEL'
var x1 = 1, x2 = 0, y
x1' = -x1 + y
x2' = x1 - y
0 = x1 + 2*x2 - 1
over t = 0 .. 1
MODEL
warnings() { "$REGULA" solve "$@" --no-estimate --json 2> /dev/null | grep -o 'not watched[^"]*'; }
warnings varying.rg --formulation direct
warnings "$EXAMPLES/ivp/pendulum-index2.rg" --method baumgarte
warnings constant.rg --method baumgarte || echo "none: constant coefficients"
warnings "$EXAMPLES/ivp/pendulum-index2.rg" || echo "none: watched"
