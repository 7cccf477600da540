title "Block on a belt: stick and slip"
# A spring holds a block on a running belt.  It sticks until the spring is stronger than static
# friction, slips under the lower dynamic friction, and sticks again when it has the velocity of the belt.
# Exact: a straight line while it sticks, an oscillation about fd/k while it slips.
param m = 1, k = 4, fs = 3, fd = 1.5, belt = 0.5
state slips = 0, x0 = 0, t0 = 0
var   x = 0, v = belt

x' = v
m*v' = slips*(fd - k*x)

when "slip"  slips < 0.5 and k*x > fs  { slips = 1; x0 = x; t0 = t }
when "stick" slips > 0.5 and v > belt  { slips = 0; x0 = x; t0 = t; v = belt }

over t = 0 .. 10
let w = sqrt(k/m)
exact x = x0 + if(slips > 0.5, (x0 - fd/k)*(cos(w*(t - t0)) - 1) + belt/w*sin(w*(t - t0)), belt*(t - t0))
output x, v, slips
