# The constraints force x2 = x3 - 1, so that the last two conditions contradict each other.
cat > m.rg << 'END'
var x1, x2, x3, x4, x5
x1' = x2 + x3 + x5 + 1
x2' = x2 + x4
x3' = x1 + x5
0 = x1 + x2 + 1
0 = x1 + x3
over t = 0 .. 1
boundary x1(0) = -1
boundary x2(1) = -2
boundary x3(1) = 1
END
"$REGULA" solve m.rg
