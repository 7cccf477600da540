# Scalars that diffuse fast take many stages, not short steps: around solids, with wells, in space, up to a side whose
# flux depends on what has come there (almost nothing at first); what comes in and goes out is counted to rounding,
# nothing leaves the range of its data.
# tol: 1e-6
# floor: 1e-12
cat > plate.rg << END
domain x = -1..1 cells 48, y = -1..1 cells 48
solid hole = x^2 + y^2 < .1
field T = if(x < -.5, 1, 0)
T' = lap(T)
boundary T(hole) = 1, T(right) = 0
over t = 0 .. 1
output low = minimum(T), high = maximum(T)
END
cat > wells.rg << END
domain x = 0..1 cells 32, y = 0..1 cells 32
vector u
field p, c = 0
u = -grad(p)
div(u) = 0
c' + div(u*c) = .5*lap(c)
well A at (.1, .1) rate .02 with c = 1
well B at (.9, .9) pressure 0 radius 1e-3
over t = 0 .. 2
output low = minimum(c), high = maximum(c)
END
cat > space.rg << END
domain x = 0..1 cells 16, y = 0..1 cells 16, z = 0..1 cells 16
field c = if(x < .5, 1, 0)
c' = .5*lap(c) - c
boundary c(left) = 1
over t = 0 .. 1
output low = minimum(c), high = maximum(c)
END
cat > front.rg << END
domain x = 0..1 cells 60, y = 0..1 cells 6
field c = if(x < .3, 1, 0)
c' = lap(c)
boundary c(left) = 1, flux(c, right) = c^4
over t = 0 .. 1
output low = minimum(c), high = maximum(c)
END
number() { grep -oE "\"$1\": [-+0-9.e]+" "$2" | tail -n 1 | grep -oE '[^ ]+$'; }
for name in plate wells space front; do
    "$REGULA" solve $name.rg --points 5 --no-estimate --json > $name.json
    echo "$name: exit $?"
    awk -v steps="$(number steps $name.json)" -v in_="$(number in $name.json)" -v out="$(number out $name.json)" \
        -v defect="$(number defect $name.json)" -v low="$(number low $name.json)" -v high="$(number high $name.json)" '
        BEGIN {
            print (steps <= 400 ? "few steps" : steps " steps")
            print (defect*defect < 1e-24*(in_ + out)^2 ? "closed" : "defect " defect " of " in_ + out)
            print (low > -1e-12 && high < 1 + 1e-12 ? "in range" : "range " low ", " high)
        }'
done
