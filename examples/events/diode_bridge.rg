title "Diode bridge with a smoothing capacitor"
# Diodes are resistors of 0.1 ohm that conduct, or 1e5 ohm that do not.  The two of a half wave lie in
# series and conduct together: a state for each of the two pairs.  Index 1.
# At t = 0.06, by the two equivalent circuits in 8e5 steps of Runge-Kutta: v = 9.19488065847
param C = 1e-3, load = 100, inner = 1, on = 0.1, off = 1e5, U = 10, f = 50
state r[i=1..2] = off
var   v = 5, a, b                  # capacitor; the ends of the source against its minus pole

let source = U*sin(2*pi*f*t)
let current = (source - (a - b))/inner

current = (a - v)/r[1] + a/r[2]
-current = (b - v)/r[2] + b/r[1]
C*v' = (a - v)/r[1] + (b - v)/r[2] - v/load

for i = 1..2 {

    when "on"  if(i == 1, a, b) > v { r[i] = on }
    when "off" if(i == 1, a, b) < v { r[i] = off }
}

over t = 0 .. 0.06
output v, a, b, i = current
