title "Pendulum whose string meets a peg"
# The string of length 1 meets a peg at 0.5 below its support when it is vertical; then the pendulum is
# a short one, until it swings back.  Index 3: the constraint changes by the states, energy is kept.
# By the angle in 4e5 steps of Runge-Kutta: met at t = 0.514812902394, left at 1.264172192305, met at
# 2.293797997093; at t = 3: x = -0.08456325530, y = -0.99279717517
param g = 9.81, depth = 0.5
state py = 0, l = 1, meets = 0
var   x = 0.6, y = -0.8, x' = 0, y' = 0
var   lambda

x'' = -lambda*x
y'' = -lambda*(y - py) - g
x^2 + (y - py)^2 = l^2

when "peg"  x < 0 { py = -depth; l = 1 - depth; meets = meets + 1 }
when "free" x > 0 { py = 0; l = 1 }

over t = 0 .. 3
output x, y, lambda, energy = (x'^2 + y'^2)/2 + g*y
