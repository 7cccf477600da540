# A knife edge (a skate) on an inclined plane: it moves along its blade and turns at a constant rate.
# The constraint is on the velocity and cannot be integrated (nonholonomic).  Instead of sliding down, the skate
# drifts sideways on a cycloid.
# Source: Neimark, Fufaev, Dynamics of Nonholonomic Systems; exact solution there.
# Look at: index 2, five degrees of freedom; the force of the blade is lambda.
title "Knife edge on an inclined plane"
param m = 1, J = 0.1, g = 9.81, slope = pi/6, omega = 2
param a = g*sin(slope)
var x = 0, y = 0, phi = 0, x' = 0, y' = 0, phi' = omega
var lambda

m*x'' = m*a + lambda*sin(phi)
m*y'' = -lambda*cos(phi)
J*phi'' = 0
0 = x'*sin(phi) - y'*cos(phi)

over t = 0 .. 5
exact x = a/(2*omega^2)*sin(omega*t)^2
exact y = a/(2*omega^2)*(omega*t - sin(2*omega*t)/2)
exact phi = omega*t
exact lambda = -2*m*a*sin(omega*t)
