title "Tank with a pump that follows a schedule"
# The pump delivers 1, 3 and 0 litres per minute for four minutes each, and again from the start; the
# outlet lets k*h out.  Between two switches of the pump h goes to q/k like exp(-k t/A).
param A = 2, k = 0.5
table pump(t) = (0, 1, 4, 3, 8, 0, 12, 1) steps repeat
var   h = 2

A*h' = pump(t) - k*h

over t = 0 .. 20
let h1 = 6 - 4*exp(-1)              # at t = 8
let h2 = 2 + (h1*exp(-1) - 2)*exp(-1)   # at t = 16
exact h = if(t < 4, 2, if(t < 8, 6 - 4*exp(1 - t/4), if(t < 12, h1*exp(2 - t/4),
          if(t < 16, 2 + (h1*exp(-1) - 2)*exp(3 - t/4), 6 + (h2 - 6)*exp(4 - t/4)))))
output h, flow = pump(t)
