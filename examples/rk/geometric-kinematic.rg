# A constraint on positions and one on velocities that cannot be integrated, together: index 3 and 2 in one model, with
# a mass matrix that depends on q.
# Source: the form (1.15) of Hairer, Lubich, Roche (1989); forces made for this motion.
# Look at: --method half-explicit solves it on both constraints without implicit stages.
title "Geometric and kinematic constraints together"
fun A(s) = s + s^2/4
fun W(s) = 1 + s/2
var p = 1, q = 0, s = 0, q' = 1, p', s'
var l, k

(2 + q^2)*p'' = (2 + sin(A(t))^2)*(-W(t)^2*cos(A(t)) - sin(A(t))/2) + (p' + W(t)*sin(A(t)))*q' + 2*cos(A(t))*cos(t) - sin(A(t))*sin(t) - 2*p*l + q*k
q'' = -W(t)^2*sin(A(t)) + cos(A(t))/2 + 2*sin(A(t))*cos(t) - 2*q*l + (p' + W(t)*sin(A(t)))*s'
s'' = sin(t)/2 - k + (s' - cos(t)/2)*q + (s - sin(t)/2)*p
0 = p^2 + q^2 - 1
0 = s' - q*p' - cos(t)/2 - W(t)*sin(A(t))^2

over t = 0 .. 2
exact p = cos(A(t))
exact q = sin(A(t))
exact s = sin(t)/2
exact l = cos(t)
exact k = sin(t)
