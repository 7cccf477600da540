title "Clutch between two inertias"
# A motor with constant torque drives a load through a clutch that slips, passes on the torque 'most', and
# locks where both speeds are equal.  When the load is braked harder than the clutch can hold, it slips.
# Exact: speeds are straight lines between the events.
param J1 = 1, J2 = 4, drive = 2, most = 6
state locked = 0, brake = 0, a1 = 10, a2 = 0, t0 = 0, side = 1
var   w1 = 10, w2 = 0, torque

J1*w1' = drive - torque
J2*w2' = torque - brake
locked*(w1' - w2') + (1 - locked)*(torque - side*most) = 0

when "lock"  locked < 0.5 and side*(w1 - w2) < 0 { locked = 1; w1 = w2; a1 = w1; a2 = w1; t0 = t }
when "brake" t >= 4 { brake = 30; a1 = w1; a2 = w2; t0 = t }
when "slip"  locked > 0.5 and abs(torque) > most { locked = 0; side = sign(torque); a1 = w1; a2 = w2; t0 = t }

over t = 0 .. 5
let both = (drive - brake)/(J1 + J2)
exact w1 = a1 + (t - t0)*if(locked > 0.5, both, (drive - side*most)/J1)
exact w2 = a2 + (t - t0)*if(locked > 0.5, both, (side*most - brake)/J2)
output w1, w2, torque, locked
