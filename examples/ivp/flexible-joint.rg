# A robot arm on an elastic joint: which torque tau of the motor (angle q2) moves the arm (angle q1) as sin(t)?
# The elasticity costs two more differentiations: index 5.
# Look at: the torque needs the fourth derivative of the path, and none of them is written here.
title "Arm with a flexible joint, prescribed path (index 5)"
param J1 = 1, J2 = 0.2, G = 5, k = 50
var q1, q2, tau

J1*q1'' = -G*sin(q1) - k*(q1 - q2)
J2*q2'' = k*(q1 - q2) + tau
q1 = sin(t)

over t = 0 .. 5
exact q1 = sin(t)
exact q2 = sin(t) + (G*sin(sin(t)) - J1*sin(t))/k
exact tau = -J2*sin(t) + J2/k*(J1*sin(t) - G*(cos(sin(t))*sin(t) + sin(sin(t))*cos(t)^2)) +
    G*sin(sin(t)) - J1*sin(t)
