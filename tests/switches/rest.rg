title "At rest until the force is above dry friction; nothing but the force moves before"
var x = 0, v = 0
x' = v
v' = 2*sin(t) - 1.5*sign(v)
over t = 0 .. 2
exact v = if(t < 0.848062078981481, 0, 2*(cos(0.848062078981481) - cos(t)) - 1.5*(t - 0.848062078981481))
