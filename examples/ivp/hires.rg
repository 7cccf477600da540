# High irradiance responses of photomorphogenesis: eight reactions, stiff.
# Source: Schaefer 1975; Hairer, Wanner, Solving Ordinary Differential Equations II; Test Set for IVP Solvers.
# Look at: an ordinary differential equation is a DAE of index 0.
# Reference at t = 321.8122: y1 = 0.7371312573325668e-3, y2 = 0.1442485726316185e-3, y3 = 0.5888729740967575e-4,
#   y4 = 0.1175651343283149e-2, y5 = 0.2386356198831331e-2, y6 = 0.6238968252742796e-2,
#   y7 = 0.2849998395185769e-2, y8 = 0.2850001604814231e-2
title "HIRES"
var y1 = 1, y2 = 0, y3 = 0, y4 = 0, y5 = 0, y6 = 0, y7 = 0, y8 = 0.0057

y1' = -1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007
y2' =  1.71*y1 - 8.75*y2
y3' = -10.03*y3 + 0.43*y4 + 0.035*y5
y4' =  8.32*y2 + 1.71*y3 - 1.12*y4
y5' = -1.745*y5 + 0.43*y6 + 0.43*y7
y6' = -280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7
y7' =  280*y6*y8 - 1.81*y7
y8' = -280*y6*y8 + 1.81*y7

over t = 0 .. 321.8122
