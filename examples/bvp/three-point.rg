# Conditions at three points: the one inside becomes a mesh point.
title "Three-point conditions"
var y

y''' + y' = 0

over x = 0 .. 3
boundary y(0) = 1
boundary y(1) + y'(1) = cos(1) - sin(1)
boundary y(end) = cos(3)
exact y = cos(x)
