# Solids that fill rows of cells: outputs beside them are what a smaller box with a side in their place gives; where
# solids move, what passes their faces carries the value inside, so that constants stay; p goes on linearly to them.
# tol: 1e-6
# floor: 1e-11
out='output a = mean(dot(u, u)), b = mean(c, left), d = maximum(c, left), e = mean(c, x = .02), f = p(1, .25), g = p(.5, 0)'
out="$out"$'\noutput h = integral(u[x], x = .5), i = mean(c), j = minimum(c, x = .98), k = c(1, .4), l = mean(u[y], y = .98)'
values() { "$REGULA" solve "$1" --no-estimate --json --step .01 --transport central | grep -oE '"values": [^}]*}' | head -n 1; }
box() { # high end of x, cells, solid, its name, equation of u, side
    cat << END
domain x = 0..$1 cells $2, y = 0..1 cells 8
$3
$5
field p, c = x
div(u) = 0
c' + div(u*c) = .2*lap(c)
boundary $6, c($4) = 1 + y, c(left) = .5
over t = 0 .. .1
$out
END
}
flow="vector u = (0, 0)
u' + div(u*u) = .1*lap(u) - grad(p)"
darcy="vector u
(1 + y)*u = -grad(p)"
for how in flow darcy; do
    sides='p(left) = 1, p(top) = 0'
    [ $how = flow ] && sides='u(top) = (1, 0)'
    box 1 8 '' right "${!how}" "$sides" > small.rg
    box 1.375 11 'solid S = x > 1' S "${!how}" "$sides" > large.rg
    echo "$how"
    values small.rg
    values large.rg
done
echo "a turning cylinder, a constant: 1, 1, 1, 1"
cat > turning.rg << 'END'
domain x = 0..1 cells 12, y = 0..1 cells 12
solid S = (x - .5)^2 + (y - .5)^2 < .04
vector u ~ (0, 0)
field p, c = 1, d = 1
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
c' + div(u*c) = .01*lap(c)
d' + dot(u, grad(d)) = 0
boundary u(S) = (.5 - y, x - .5)
over t = 0 .. .5
output a = minimum(c), b = maximum(c), e = minimum(d), f = maximum(d)
END
for o in '' '--scheme implicit'; do
    "$REGULA" solve turning.rg --no-estimate --json $o | grep -oE '"values": [^}]*}' | head -n 1
done
