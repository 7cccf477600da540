# The length of a rope that jumps: the error says why, and nothing is said of units that are not the reason.
# tol: 1e-3
# floor: 1e-9
cat > rope.rg << 'END'
param g = 9.81
var p = 1, q = 0, u = 0, w = 0, lam
over t = 0 .. 2
p' = u
q' = w
u' = -lam*p
w' = -lam*q - g
p^2 + q^2 = if(t < 1, 1, 0.9)
END
"$REGULA" solve rope.rg --points 3 | sed '1d'
