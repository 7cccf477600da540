title "Two pendulums with drag that depends on the direction (index 3, switches)"
var p1 = 0.8, q1 = -0.6, p1' = 0, q1' = 0, l1 ~ 0
var p2 = 0.8, q2 = -0.6, p2' = 0, q2' = 0, l2 ~ 0
p1'' = -p1*l1 - if(p1' > 0, 0.474, 0.0859)*p1' + 0.4127*(p2 - p1)
q1'' = -q1*l1 - 1 - if(q1' > 0, 0.3093, 0.05)*q1'
0 = p1^2 + q1^2 - 1
p2'' = -p2*l2 - 0.1978*max(p2 - 0.1856, 0)*18.4449 + 0.9351*(p1 - p2)
q2'' = -q2*l2 - 1 - if(q2' > 0, 0.3173, 0.05)*q2'
0 = p2^2 + q2^2 - 1
over t = 0 .. 10.4686
