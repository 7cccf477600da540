title "Pole of x' = x^2"
var x = 1
x' = x^2
over t = 0 .. 2
