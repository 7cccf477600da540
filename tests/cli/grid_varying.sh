# Storage and diffusion that change within a step, and two flows in one box: the grid and its expansion agree, and what
# the cells hold is balanced.
# tol: 2e-5
# floor: 1e-9
cat > varying.rg << 'END'
domain x = 0..1 cells 16
field c = x
(1 + t + c^2)*c' = div((.1 + c)*grad(c)) + 1
over t = 0 .. 1
output total = integral(c), end = c(.9)
END
cat > two.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 8
vector u = (0, 0), v = (0, 0)
field p, q, c = 0
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
v' + div(v*v) = .2*lap(v) - grad(q) + (c, 0)
div(v) = 0
c' + div(u*c) + div(v*c) = .1*lap(c) + 1
boundary u(top) = (1, 0), v(left) = (0, 1), c(bottom) = 0
over t = 0 .. .5
output first = integral(dot(u, u)), second = integral(dot(v, v)), total = integral(c)
END
values() { "$REGULA" solve "$@" --json --no-estimate | grep -oE '"values": [^}]*'; }
values varying.rg
values varying.rg --method radau --tol 1e-8
values two.rg --tol 1e-6 --transport central
values two.rg --method radau --tol 1e-8
for s in cn implicit; do
    "$REGULA" solve varying.rg --json --no-estimate --scheme $s | grep -oE '"defect": [^}]*' | sed 's/.*: -*//' |
        awk '{ print ($1 < 1e-12 ? "balanced" : $1) }'
done
# Scalars that turn into each other fast: implicit steps solve them together (1e-2 off where each takes the other as it
# was), or a given step is refused.
cat > pair.rg << 'END'
domain x = 0..1 cells 16
field a = if(x < .5, 1, 0), b = x
a' = lap(a) - 1000*(a - b^2)
b' = .5*lap(b) + 1000*(a - b^2)
boundary a(left) = 1
over t = 0 .. .2
output d = mean(a), e = b(.3), f = maximum(b)
END
cat > determined.rg << 'END'
domain x = 0..1 cells 20
field c = if(x < .5, 1, 0), s
c' = lap(c) + 1000*(s - c)
0 = lap(s) - 1000*(s - c)
boundary c(left) = 1, s(right) = 0
over t = 0 .. .1
output d = mean(c), e = s(.3), f = c(.7)
END
numbers() { values "$@" | grep -oE '[-0-9.e]+($|,)' | tr -d ','; }
for name in pair determined; do
    paste <(numbers $name.rg --scheme implicit) <(numbers $name.rg --method radau --tol 1e-8)
done | awk '{ d = $1 - $2; if (d < 0) d = -d; print (d < 1e-3 ? "together" : $1 " for " $2) }'
"$REGULA" solve pair.rg --scheme implicit --step .1 --no-estimate --quiet 2>&1 | sed 's/ by .* of / by ... of /'
# u.grad(c) where u has a divergence: what c div(u) makes is counted (the balance missed it, 2.6 for 0), and what a
# well carries is that of div(u*c).
cat > sprung.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 4
field c = 1, p
vector u
u = -grad(p)
div(u) = x
c' + dot(u, grad(c)) + dot((2*x, 0), grad(c)) = .1*lap(c) + 3
well a at (.1, .1) rate 1 with c = .5
well b at (.9, .9) rate -1
boundary c(left) = 1, p(left) = 0
over t = 0 .. 1
END
sed 's/div(u) = x/div(u) = 0/; s/ + dot((2.*lap/ = .1*lap/; s/ + 3$//' sprung.rg > wells.rg
sed 's/dot(u, grad(c))/div(u*c)/' wells.rg > carried.rg
for s in cn implicit; do
    "$REGULA" solve sprung.rg --json --no-estimate --scheme $s | grep -oE '"defect": [^}]*' | sed 's/.*: -*//' |
        awk '{ print ($1 < 1e-12 ? "balanced" : $1) }'
    for m in wells carried; do
        "$REGULA" solve $m.rg --no-estimate --scheme $s | grep -oE 'start.*end'
    done
done
