# Two wires cross, a bead starts at rest on the crossing: nothing tells which wire it takes.
var q1 = 0, q2 = 0, q1' = 0, q2' = 0, l
q1'' = 1 - l*q2
q2'' = -l*q1
0 = q1*q2
over t = 0 .. 1
