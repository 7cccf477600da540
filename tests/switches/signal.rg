title "A switch on a signal that no differential equation sees"
var x = 1, y, z = 0
x' = -0.1*x
y = sin(20*t)
z' = max(y - 0.95, 0)
over t = 0 .. 10
# @ref z=0.03381597469751885
