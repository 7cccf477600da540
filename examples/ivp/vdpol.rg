# Van der Pol's oscillator in the stiff regime: slow motion along the cubic, then jumps.
# Source: Hairer, Wanner, Solving Ordinary Differential Equations II; Test Set for IVP Solvers.
# Look at: --set eps=1e-3 makes it mild; eps = 0 would be a DAE of index 1 up to the first jump.
# Reference at t = 2: y1 = 1.706167732170469, y2 = -0.8928097010248125
title "Van der Pol's oscillator, eps = 1e-6"
param eps = 1e-6
var y1 = 2, y2 = 0

y1' = y2
eps*y2' = (1 - y1^2)*y2 - y1

over t = 0 .. 2
