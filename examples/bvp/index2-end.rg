# Linear, index 2, all conditions at the right end; the second one repeats the constraint there and is dropped.
title "Index 2, conditions at the end"
var u1, u2, u3
u1' = -u3
u2' = -u3
0 = u2 - sin(t - 1)
over t = 0 .. 1
boundary u1(1) = 0
boundary u2(1) = 0
exact u1 = sin(t - 1)
exact u2 = sin(t - 1)
exact u3 = -cos(t - 1)
