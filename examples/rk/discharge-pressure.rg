# Gas flows into a vessel and out through a valve; which opening keeps the pressure on its prescribed course?
# Source: an equivalent of the discharge pressure control problem in section 9 of Hairer, Lubich, Roche (1989).
# Look at: index 2, no degree of freedom: the opening follows from the derivative of the pressure.
title "Discharge pressure control (equivalent)"
param V = 2, RT = 3, C = 0.5, P0 = 1
fun Pset(s) = 4 + sin(s)/2
fun inflow(s) = 1 + exp(-s)/2
var M ~ 2.7, P ~ 4, F ~ 1, u ~ 1

M' = inflow(t) - F
P*V = M*RT
F = C*u*sqrt(P - P0)
0 = P - Pset(t)

over t = 0 .. 5
exact M = Pset(t)*V/RT
exact P = Pset(t)
exact F = inflow(t) - V/RT*cos(t)/2
exact u = (inflow(t) - V/RT*cos(t)/2)/(C*sqrt(Pset(t) - P0))
