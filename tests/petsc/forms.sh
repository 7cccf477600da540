# Terms of all forms on two ranks, as in one process: storage and viscosity that vary, moving walls, start values by
# curl, a stretched axis, data that change in time, dispersion, an elliptic equation, wells in a flow, slipping walls.
. "$(dirname "$0")/support"
cat > varying.rg <<'END'
domain x = 0..1 cells 10 stretch x^2*(3 - 2*x)*.4 + .6*x, y = 0..1 cells 8
vector u = curl(sin(3.14159265358979*x)^2*sin(3.14159265358979*y)^2)
field p, T = x
(1 + .5*T)*u' + div(u*u) = div((.02 + .05*T*y)*grad(u)) - grad(p) + (0, sin(t)*T)
div(u) = 0
(1 + .2*x)*T' + dot(u, grad(T)) = div((.01 + .02*T)*grad(T)) + .1*T*(1 - T)
boundary u(top) = (sin(t), 0), T(left) = cos(t), flux(T, right) = .1
over t = 0 .. .005
END
cat > porous.rg <<'END'
domain x = 0..1 cells 14 periodic, y = 0..1 cells 12
field p, c = if(abs(x - .5) < .2, 1, 0), s
vector u
(1 + c)*u = -grad(p) + (1, .2*c)
div(u) = 0
c' + div(u*c) = div(dispersion(u, .001, .01, .002)*grad(c))
0 = lap(s) - s + c
over t = 0 .. .005
END
cat > wells.rg <<'END'
domain x = 0..1 cells 16, y = 0..1 cells 12
vector u = (x*y, 0)
field p
u' + div(u*u) = .1*lap(u) - grad(p)
div(u) = 0
well a at (.1, .1) rate 1
well b at (.9, .9) rate -1
boundary u(bottom) = slip
over t = 0 .. .004
END
for model in varying porous wells; do
    for ranks in 0 2; do
        "$REGULA" solve $model.rg --solver_tol 1e-13 --no-estimate --quiet --ranks $ranks --fields $ranks.csv \
            2> told-$ranks.txt || fail "$model on $ranks: exit $?"
    done
    paste -d , 0.csv 2.csv | awk -v name=$model -v tol=1e-11 -f "$(dirname "$0")/compare.awk" || fail "fields differ"
done
