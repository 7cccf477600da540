title "Charge pump: two capacitors and a transistor, index 2 (IVP test set)"
param vt = 0.2, gam = 0.035, phi = 1.01, cox = 4e-12, capd = 0.4e-12, caps = 1.6e-12, high = 20
param vfb = vt - gam*sqrt(phi) - phi
param q0 = cox*gam*(sqrt((gam/2)^2 - vfb) - gam/2)

var qg = q0, qs = 0, q2 = 0, qd = 0, q3 = 0, u1 ~ 0, u2 ~ 0, u3 ~ 0, i

let s = mod(t, 120e-9)
let vin = if(s < 50e-9, 0, if(s < 60e-9, (s - 50e-9)*1e8*high, if(s < 110e-9, high, (120e-9 - s)*1e8*high)))
let ugs = max(u1 - u2, u1 - u3)
let ugd = min(u1 - u2, u1 - u3)
let ubs = ugs - u1
let vte = vt + gam*(sqrt(phi - ubs) - sqrt(phi))
let gst = ugs - vte
let gdt = max(ugd - vte, 0)
let channel = gdt + gst - gdt*gst/(gdt + gst)

qg' = -i
qs' + q2' = 0
qd' + q3' = 0
u1 = vin
qg = if(u1 <= vfb, cox*(u1 - vfb), if(ugs <= vte, cox*gam*(sqrt((gam/2)^2 + u1 - vfb) - gam/2),
    cox*(2/3*channel + gam*sqrt(phi - ubs))))
qs = caps*u2
q2 = if(u1 <= vfb or ugs <= vte, 0, -cox/3*channel)
qd = capd*u3
q3 = if(u1 <= vfb or ugs <= vte, 0, -cox/3*channel)
over t = 0 .. 1.2e-6
