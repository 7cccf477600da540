title "A table in steps of an unknown, and one of time that repeats"
table f(s) = (0, 2, 1, 1, 2, 4) steps hold, q(s) = (0, 1, 1, -1, 3, 1) steps repeat
var x = 0, y = 0
x' = f(x)
y' = -y + q(t)
over t = 0 .. 4
param a = 1 - exp(-1), b = -1 + (a + 1)*exp(-2)
exact x = if(t < 0.5, 2*t, if(t < 1.5, t + 0.5, 4*t - 4))
exact y = if(t < 1, 1 - exp(-t), if(t < 3, -1 + (a + 1)*exp(1 - t), 1 + (b - 1)*exp(3 - t)))
