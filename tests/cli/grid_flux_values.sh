# Values on sides and solids with a given flux, and between them and the outermost values, by the kernels of grids and
# by Radau IIA on the expanded equations. They were those of the cells inside: off by q h/(2 k).
# tol: 1e-8
# floor: 1e-9
tight='--tol 1e-10'
. "$EXAMPLES/../tests/support/both.sh"
echo "x + 2 y: 1, 1.01, 1, 1.01, 0, 1.5, 2.25"
both plane << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 8
field c
0 = lap(c)
boundary flux(c, left) = 1, flux(c, bottom) = 2, c(right) = x + 2*y, c(top) = x + 2*y
output a = mean(c, left), b = mean(c, x = .01), d = c(0, .5), e = c(.01, .5), g = c(0, 0), h = mean(c + x, bottom) + .5,
       i = mean((c - 2*y + 1.5)^2, left)
END
echo "k = 1 + x, dc/dx = 2/(1 + x) at the sides: c(right) - c(left) of 16 and of 32 cells, 2 log 2 = 1.386294"
for n in 16 32; do
    both varying --set N=$n << 'END'
param N = 16
domain x = 0..1 cells N, y = 0..1 cells 2
field c
0 = div((1 + x)*grad(c))
boundary c(left) = 0, flux(c, right) = -2
output a = mean(c, right), b = maximum(2*c, right)
END
done
echo "heated from the right, x^2/2 + t: 1/2, 1.5 + h^2/8"
both heated --step 1e-3 --points 2 << 'END'
domain x = 0..1 cells 8
field c = x^2/2
c' = lap(c)
boundary flux(c, right) = -1
over t = 0 .. 1
output a = c(1), b = maximum(c, right)
END
"$REGULA" solve heated.rg --no-estimate --step 1e-3 --csv heated.csv > /dev/null
sed -n 2p heated.csv
echo "x + 2 y around a block with given fluxes: 1.23, 1.51, .98, .769"
cat > block.rg << 'END'
domain x = 0..1 cells 16, y = 0..1 cells 16
solid b = x > .25 and x < .5 and y > .25 and y < .5
field c
0 = lap(c)
boundary c(left) = x + 2*y, c(right) = x + 2*y, c(top) = x + 2*y, c(bottom) = x + 2*y
boundary flux(c, b) = if(abs(x - .25) < 1e-9, -1, if(abs(x - .5) < 1e-9, 1, if(abs(y - .25) < 1e-9, -2, 2)))
output a = mean(c, x = .23), b = mean(c, x = .51), d = mean(c, y = .24), e = c(.249, .26)
END
"$REGULA" solve block.rg --no-estimate --json | grep -oE '"values": [^}]*}'
echo "a condition of a solid that needs more room than all other expressions: 1.23"
cat > room.rg << 'END'
domain x = 0..1 cells 16, y = 0..1 cells 16
solid b = x > .25 and x < .5 and y > .25 and y < .625
field c
0 = lap(c)
boundary c(left) = x + 2*y, c(right) = x + 2*y, c(top) = x + 2*y, c(bottom) = x + 2*y
boundary flux(c, b) = if(abs(x - .25) < 1e-9, -(x + 1 - x)*(sin(x)^2 + cos(x)^2)*(sin(y)^2 + cos(y)^2), if(abs(x - .5) < 1e-9, (y + 1 - y)*(sin(3*x)^2 + cos(3*x)^2)*(sin(2*y)^2 + cos(2*y)^2), if(abs(y - .25) < 1e-9, -(x + 2 - x), y + 2 - y)))
output a = mean(c, x = .23)
END
"$REGULA" solve room.rg --no-estimate --json | grep -oE '"values": [^}]*}'
