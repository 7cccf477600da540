title "Thermostat with hysteresis"
# The heater goes off at 21 degrees and on at 19.  Exact: exponentials between the switches.
param outside = 10, tau = 10, power = 2
state on = 1, T0 = 15, t0 = 0
var   T = 15

T' = -(T - outside)/tau + power*on

when "off" T > 21 { on = 0; T0 = 21; t0 = t }
when "on"  T < 19 { on = 1; T0 = 19; t0 = t }

over t = 0 .. 30
exact T = outside + power*tau*on + (T0 - outside - power*tau*on)*exp(-(t - t0)/tau)
output T, heating = power*on
