title "Motor with a sampled controller"
# Every 0.05 s the controller reads the speed and sets the voltage, which stays until the next time.
# Exact: an exponential between two samples.
param T = 0.5, gain = 2, kp = 1.5, ki = 4, kd = 0.02, dt = 0.05, wanted = 10
state u = 0, total = 0, before = wanted, w0 = 0, t0 = 0
var   w = 0

T*w' = gain*u - w

every dt {
    u = kp*(wanted - w) + ki*(total + dt*(wanted - w)) + kd*(wanted - w - before)/dt
    total = total + dt*(wanted - w)
    before = wanted - w
    w0 = w
    t0 = t
}

over t = 0 .. 3
exact w = gain*u + (w0 - gain*u)*exp(-(t - t0)/T)
output w, u
