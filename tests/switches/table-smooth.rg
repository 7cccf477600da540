title "A smooth table in a constraint that is differentiated twice"
table s(r) = (0, 0, 1, 1, 2, 0) smooth
var x = 0, v, u
x' = v
v' = u
x = s(t)
over t = 0 .. 2
fun c(r) = 1.5*r - 0.5*r^3
exact x = if(t < 1, c(t), c(2 - t))
exact v = if(t < 1, 1.5 - 1.5*t^2, -1.5 + 1.5*(2 - t)^2)
exact u = if(t < 1, -3*t, -3*(2 - t))
