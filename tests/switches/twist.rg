title "Twisting controller: infinitely many switches up to t = 4.46, rest on both surfaces behind"
# @ref x=0, v=0
var x = 1, v = 0
x' = v
v' = -2*sign(x) - sign(v)
over t = 0 .. 10
