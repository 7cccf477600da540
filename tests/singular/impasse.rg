title "Impasse: x2 = sqrt(1 - t)"
var x1 = 1, x2 = 1
x1' = -1
x1 = x2^2
over t = 0 .. 2
