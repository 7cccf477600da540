# An upright disc rolls without slipping on a plane: (x, y) is the point of contact, phi the heading, psi the angle
# of rolling.  Two nonholonomic constraints; with constant rates the path is a circle.
# Look at: index 2, six degrees of freedom of eight states; lam1 and lam2 are the friction forces.
title "Rolling disc"
param m = 2, R = 0.5, I = 0.125, J = 0.25, Omega = 0.7, omega = 3
var x = 0, y = 0, phi = 0, psi = 0
var phi' = Omega, psi' = omega
var lam1, lam2

m*x'' = lam1
m*y'' = lam2
I*phi'' = 0
J*psi'' = -R*(lam1*cos(phi) + lam2*sin(phi))
x' = R*psi'*cos(phi)
y' = R*psi'*sin(phi)

over t = 0 .. 10
exact x = R*omega/Omega*sin(Omega*t)
exact y = R*omega/Omega*(1 - cos(Omega*t))
exact phi = Omega*t
exact psi = omega*t
exact lam1 = -m*R*omega*Omega*sin(Omega*t)
exact lam2 = m*R*omega*Omega*cos(Omega*t)
