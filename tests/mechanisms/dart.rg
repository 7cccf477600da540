# Dart linkage.
# Look at: the other assembly of a kite.
# Reference, from the motion with one coordinate: tests/support/mechanisms.h.
title "Dart linkage (index 3)"
var x1 ~ -0.4161468365471424, y1 ~ -0.9092974268256817, x2 ~ -0.17031667141860737, y2 ~ 0.26525249970484993
var x1' ~ 2.727892280477045, y1' ~ -1.248440509641427, x2' ~ -0.14660113217819165, y2' ~ -0.6468167094669741
var l1, l2, l3
2*x1'' = -l1*x1 - l2*(x1 - x2)
2*y1'' = -l1*y1 - l2*(y1 - y2) - 3
x2'' = -l2*(-x1 + x2) - l3*(x2 - 1)
y2'' = -l2*(-y1 + y2) - l3*y2 - 1
0 = x1^2/2 + y1^2/2 - 1/2
0 = (-x1 + x2)^2/2 + (-y1 + y2)^2/2 - 18/25
0 = y2^2/2 + (x2 - 1)^2/2 - 18/25
over t = 0 .. 10
output x1, y1, x2, y2, x1', y1', x2', y2'
