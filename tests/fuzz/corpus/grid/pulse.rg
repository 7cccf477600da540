domain x = 0..1e-6 cells 12 periodic
field c = 1e-9*x/1e-6
c' = div((1 + t)*1e-12*grad(c)) + 1e-9*exp(-((t - .2)/.03)^2)
over t = 0 .. 1
