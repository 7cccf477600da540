title "A linear table of an unknown"
table f(s) = (0, 2, 1, 1, 2, 3, 4, 0.5) linear
var x = 0
x' = f(x)
over t = 0 .. 1.7
param t1 = log(2), t2 = t1 + log(3)/2
exact x = if(t < t1, 2*(1 - exp(-t)), if(t < t2, 1 + (exp(2*(t - t1)) - 1)/2, 2 + 2.4*(1 - exp(-1.25*(t - t2)))))
