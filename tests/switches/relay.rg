title "Relay with sliding: x reaches 0 and stays"
var x = 1
x' = -sign(x) + 0.5*sin(t)
over t = 0 .. 6
exact x = if(t < 1.4296716508827785, 1 - t + 0.5*(1 - cos(t)), 0)
