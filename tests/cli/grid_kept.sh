# tol: 1e-9
# Forces and sources that are sums of products of functions of time and of space are kept in parts: the same numbers as
# by formulas that have no such parts.
echo 1,2,3,4 > d.csv
flow() { # force along x
    cat << END > flow.rg
domain x = 0..1 cells 12, y = 0..1 cells 10
vector u = (0, 0)
field p, c = 0
u' + div(u*u) = .1*lap(u) - grad(p) + ($1, y*c)
div(u) = 0
c' + div(u*c) = .1*lap(c) + $1
boundary c(left) = 0
solid block = abs(x - .7) < .1 and abs(y - .5) < .2
over t = 0 .. .5
output v = maximum(u[x]), m = mean(c), q = maximum(p)
END
    for o in "" "--step .01" "--scheme heun"; do
        "$REGULA" solve flow.rg --no-estimate --quiet $o --json | grep -o '"values": {[^}]*}' | head -n 1
    done
}
flow 'y*sin(x)*cos(t) + t*x'
flow 'y*(sin(x + t) + sin(x - t))/2 + ((t + x)^2 - (t - x)^2)/4'
echo "factors that overflow or vanish where their product does not"
range() {
    cat << END > range.rg
domain x = 0..1 cells 4
data D = "d.csv"
field c = 0
c' = 1e-3*lap(c) + D*($1)
over t = .9 .. 1
output m = mean(c)*1e19
END
    "$REGULA" solve range.rg --no-estimate --quiet --step 1e-3 --json | grep -o '"values": {[^}]*}' | head -n 1
}
range '(1e-160*x*exp(350*t))*(1e-160*x*exp(350*t))'
range 'exp(2*(log(1e-160*x) + 350*t))'
range '(1e-180*x*exp(390*t))*(1e-180*x*exp(390*t))'
range 'exp(2*(log(1e-180*x) + 390*t))'
echo "where one is no number it is told"
cat << END > pole.rg
domain x = 0..1 cells 4
field c = 0
c' = lap(c) + x/(t - .5)
over t = .5 .. 1
END
"$REGULA" solve pole.rg --no-estimate --quiet
echo "exit $?"
