title "Bouncing ball"
# The ball loses a part of its velocity at every bounce.  The bounces would accumulate at a finite time,
# t = (1 + e)/(1 - e)*sqrt(2/g) = 4.06: the run ends when the ball bounces no higher than 1 mm.
# Exact: a parabola from the last bounce on, which the states h0, v0 and t0 remember.
param g = 9.81, e = 0.8
state n = 0, h0 = 1, v0 = 0, t0 = 0
var   h = 1, v = 0

h' = v
v' = -g

when "bounce" h < 0 { v = -e*v; n = n + 1; h0 = 0; v0 = -e*v; t0 = t }
when "rest" v0^2 < 2*g*0.001 and n > 0 { stop "rest" }

over t = 0 .. 10
exact h = h0 + v0*(t - t0) - g/2*(t - t0)^2
exact v = v0 - g*(t - t0)
