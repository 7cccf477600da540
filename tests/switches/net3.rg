title "Three nodes, one buffer, two friction laws with jumps (index 2)"
# @index 2
# @ref p3=-2.6875
var f1 ~ 0, f2 ~ 0, p1 ~ 1, p2 = 1, p3 ~ 1
f1' = p1 - p2 - if(f1 > 1, 5*f1, f1)
f2' = p2 - p3 - if(f2 > 0.6, 5*f2, f2)
0 = t - f1
p2' = f1 - f2
0 = f2 - t/2
over t = 0 .. 1.5
exact p2 = 1 + t^2/4
# p3 = 0.5 + t^2/4 - if(t > 1.2, 2.5*t, 0.5*t): at the jump itself two values, so only the end
