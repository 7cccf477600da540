# A voltage source across a capacitor and an inductor in parallel.  The source forces the voltage of the capacitor,
# so the current of the source contains the derivative of the voltage: index 2.
# Look at: only the current of the inductor may be chosen; the start values of v and iS follow from the source.
title "LC circuit across a voltage source (index 2)"
param C = 2e-3, L = 0.5, w = 10
var iL = 0
var v, iS

C*v' = -iL - iS
L*iL' = v
v = sin(w*t)

over t = 0 .. 2
exact v = sin(w*t)
exact iL = (1 - cos(w*t))/(L*w)
exact iS = -C*w*cos(w*t) - (1 - cos(w*t))/(L*w)
