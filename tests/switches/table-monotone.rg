title "Monotone tables of time: held and repeated; integrals of their cubics"
table m(s) = (0, 0, 1, 1, 2, 0) hold, q(s) = (0, 0, 1, 1, 2, 0) repeat
var x = 0, y = 0
x' = m(t)
y' = q(t)
over t = -1 .. 4
fun F(s) = if(s < 0, 0, if(s < 1, s^2 - s^3/3, if(s < 2, 2/3 + (s - 1) - (s - 1)^3/3, 4/3)))
exact x = F(t)
exact y = 2/3 + (if(t < 0, F(t + 2) - 4/3, if(t < 2, F(t), 4/3 + F(t - 2))))
