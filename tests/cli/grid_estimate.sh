# Estimates on grids with odd numbers of cells, few cells along an axis, stretched axes and solids: within a factor 3 of
# the true error where that is known; the cell Reynolds number of a cavity is that of its faces, not of ghosts.
number() { grep -oE "\"$1\": [^,}]*" | head -n 1 | sed 's/.*: //'; }
for axis in 'cells 15' 'cells 16' 'cells 21' 'cells 15 stretch x + .1*sin(2*pi*x)'; do
    cat > odd.rg << END
domain x = 0..1 $axis, y = 0..1 cells 3
field s
0 = lap(s) + pi^2*sin(pi*x)
boundary s(left) = 0, s(right) = 0
output total = integral(s)
END
    "$REGULA" solve odd.rg --json > out
    true=$(number total < out)
    echo "$axis: $(awk -v e="$(number estimate < out)" -v v="$true" \
        'BEGIN { d = v - 2/3.14159265358979; if (d < 0) d = -d; print (e < 3*d && e > d/3 ? "ok" : e " " d) }')"
done
cat > block.rg << 'END'
domain x = 0..2 cells 21, y = 0..1 cells 11
solid block = (x - 1)^2 + (y - .5)^2 < .04
vector u = (0, 0)
field p
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
boundary u(left) = (1, 0), p(right) = 0
over t = 0 .. .2
output out = integral(u[x], right), most = maximum(u[x])
END
"$REGULA" solve block.rg --json > out
awk -v e="$(number estimate < out)" 'BEGIN { print (e > 1e-3 && e < 1 ? "a block: ok" : e) }'
cat > lid.rg << 'END'
domain x = 0..1 cells 8, y = 0..1 cells 8
vector u = (0, 0)
field p
u' + div(u*u) = .01*lap(u) - grad(p)
div(u) = 0
boundary u(top) = (1, 0)
over t = 0 .. 1
output most = maximum(u[x])
END
"$REGULA" solve lid.rg --json --no-estimate > out
awk -v r="$(number cell_reynolds < out)" -v u="$(number most < out)" \
    'BEGIN { d = r - 12.5*u; print (d < 1e-9 && d > -1e-9 ? "cell Reynolds number: ok" : r " " u) }'
