# A beam of two fields on three supports, bent by its weight and by a load in the middle of the second field.
# w: deflection, m: moment.  The support in the middle takes a force, so the shear force jumps there; each field therefore has
# unknowns of its own, both over 0 .. 1, and slope and moment pass from the end of the first to the start of the second.
# Look at: conditions that join both ends of the interval.  The transfer folds it.
title "Beam on three supports"
param load = 1, weight = 2
var w1, m1, w2, m2

w1'' = m1
m1'' = weight
w2'' = m2
m2'' = weight + load*exp(-50*(x - 1/2)^2)

over x = 0 .. 1
boundary w1(0) = 0
boundary m1(0) = 0
boundary w1(1) = 0
boundary w2(0) = 0
boundary w1'(1) = w2'(0)
boundary m1(1) = m2(0)
boundary w2(1) = 0
boundary m2(1) = 0
output w1, m1, w2, m2
solve method = transfer
