# Pendulum whose rod is written twice, as a constraint of the velocities: one is redundant, the forces are those of
# least norm.
title "Pendulum on two equal rods, index 2"
var p = 1, q = 0, u = 0, v = 0, lam ~ 0, mu ~ 0
p' = u
q' = v
u' = -p*(lam + 2*mu)
v' = -q*(lam + 2*mu) - 9.81
0 = p*u + q*v
0 = 2*(p*u + q*v)
over t = 0 .. 3
