title "Switches that end within rounding of each other"
var x = 1.310181126650402, z ~ 0
x' - 7.96*cos(3.98*t + 2.01) + 0.84*(x - (2*sin(3.98*t + 2.01) - 0.5)) + 0.54*(sign(x - 0.25) - sign(2*sin(3.98*t + 2.01) - 0.75)) = 0
z + 0.41*abs(max(x - 0.05, -0.3) - 0.2) = sin(t) + 0.41*abs(max(2*sin(3.98*t + 2.01) - 0.55, -0.3) - 0.2)
exact x = 2*sin(3.98*t + 2.01) - 0.5, z = sin(t)
over t = 0 .. 10
