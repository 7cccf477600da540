# Rows while dry friction sticks, at four tolerances.  A block on an incline, index 2: nothing moves, so that slopes are
# 0 and N and the force of the constraint are known; slopes were those of the one side of sign(u) or the other (4.6 and
# -8.1), N was off by 2e-5 at every tolerance.  A pendulum with friction, index 3: force(u) is -lam*p, in all rows; it
# was off by the jump of the friction while it sticks, and by 60 tolerances before.
cat > incline.rg << 'M'
param a = 0.457, mu = 0.735
var x = 0, y = 0, u = -0.673, v ~ 0, N ~ 9
x' = u
y' = v
u' = -N*sin(a) - mu*N*sign(u)*cos(a) + 3.275*sin(1.675*t)
v' = N*cos(a) - mu*N*sign(u)*sin(a) - 9.81
v*cos(a) = u*sin(a)
over t = 0 .. 2
M
(cat incline.rg; echo "output u, N, acc = u', up = v'") > slopes.rg
cat > pendulum.rg << 'M'
var p = sin(1), q = -cos(1), u = 0, v = 0, lam ~ 0
let w = p*v - q*u
p' = u
q' = v
u' = -lam*p + 0.74*q*sign(w)
v' = -lam*q - 9.81 - 0.74*p*sign(w)
p^2 + q^2 = 1
over t = 0 .. 7
M
worst() { # of the expression `of` in the rows from t = $1 on, within ten times $2
    awk -F, -v from="$1" -v tol="$2" '
        NR > 1 && $1 >= from { e = '"$3"'; e = e < 0 ? -e : e; if (!(e <= most)) most = e; n++ }
        END { print n " rows: " (most <= 10*tol ? "right" : most) }'
}
for tol in 1e-3 1e-5 1e-7 1e-9; do
    rows() { "$REGULA" solve $1.rg --tol $tol --points 41 --csv - --quiet; }
    echo "$tol"
    rows slopes | worst 0.3 1e-8 '$4'
    rows slopes | worst 0.3 1e-8 '$5'
    rows slopes | worst 0.3 1e-8 '$3 - 9.81*cos(0.457) - 3.275*sin(1.675*$1)*sin(0.457)'
    rows incline | worst 0.3 1e-8 '$9 + 3.275*sin(1.675*$1)'
    rows incline | worst 0.3 1e-8 '$10 - 9.81'
    rows pendulum | worst 0 $tol '$7 + $6*$2'
    rows pendulum | worst 0 $tol '$8 + $6*$3'
done
