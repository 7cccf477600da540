title "A prescribed flow passes a jump of the friction (index 2): p1 jumps, p2 not"
# @index 2
# @ref p1=12
var phi ~ 0, p1 ~ 0, p2 = 5
phi' = p1 - p2 - if(phi > 1, 3*phi, phi)
0 = t - phi
p2' = phi - 1
over t = 0 .. 2
exact p2 = 5 + t^2/2 - t
# p1 = 6 + t^2/2 - t + if(t > 1, 3*t, t): at the jump itself two values, so only the end is compared
