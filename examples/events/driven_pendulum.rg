title "Pendulum on a support whose motion was measured"
# The support moves along x as the file says (support.csv beside this model: 'regula example support.csv'
# writes it).  The rod is a constraint on positions, which is differentiated twice: a 'smooth' table has
# the second derivative that this needs, a 'linear' one has not.
# At t = 4, by the pendulum's angle in steps of 2e-4: x = 0.113382788396, y = -0.999515742318
param g = 9.81, l = 1
table s(t) = file "support.csv" column "position" by "time" smooth
var   x = 0, y = -1, x' = 0, y' = 0
var   lambda                        # force of the rod per mass and length

x'' = -lambda*(x - s(t))
y'' = -lambda*y - g
(x - s(t))^2 + y^2 = l^2

over t = 0 .. 4
output x, y, support = s(t), lambda
