title "Wheelset on a straight track, index 2 (IVP test set)"
param m = 16.08, grav = 9.81, speed = 30, rn = 0.1, I1 = 0.0605, I2 = 0.366, mu = 0.12
param half = 0.19, cx = 6400, cz = 6400                         # suspension
param cone = 0.0262, gauge = 0.1506, rail = 0.06                # profiles of wheel and rail
param E = 1.3537956, G = 0.7115218, sigma = 0.28, shear = 7.92e10, circle = 3.1415926
param c11 = 4.72772197, c22 = 4.27526987, c23 = 1.97203505
param omega = speed/rn, ta = tan(cone), sir = sin(cone)*rail
param e[c=1..2] = (-1, 1)                                       # left, right

var x = 0.14941e-2, y = 0.40089e-6, z = 0.11241e-5, theta = -0.28573e-3, phi = 0.26459e-3
var u = 0, v ~ 0, w = 0, thetap = 0, phip ~ 0, beta = 0
param l0[c=1..2] = (-8.3593e-3, -7.4144e-3), p0[c=1..2] = (7.5634406395172940e-6, -7.4122380357667139e-6)
param x0[c=1..2] = (0.1490635714733819, -0.1521364296121248)
var lam[c=1..2] ~ l0[c]
var psi[c=1..2] ~ p0[c]
var xi[c=1..2] ~ x0[c]

let st = sin(theta)
let ct = cos(theta)
let sp = sin(phi)
let cp = cos(phi)
let ss[c=1..2] = sin(psi[c])
let cs[c=1..2] = cos(psi[c])
let r[c=1..2] = rn + ta*(gauge - abs(xi[c]))
let rd[c=1..2] = -sign(xi[c])*ta
let place[c=1..2] = x + xi[c]*ct*cp + r[c]*(ct*sp*cs[c] - st*ss[c])
let height[c=1..2] = sqrt(rail^2 - (abs(place[c]) - gauge - sir)^2)
let gd[c=1..2] = sign(place[c])*(-abs(place[c]) + gauge + sir)/height[c]
let gdd[c=1..2] = -rail^2/height[c]^3
# rows of the constraint matrix
let q4[c=1..2] = gd[c]*(r[c]*(-ct*ss[c] - cs[c]*sp*st) - cp*st*xi[c])
let q5[c=1..2] = -cs[c]*r[c]*sp - cp*xi[c] + gd[c]*(cp*cs[c]*ct*r[c] - ct*sp*xi[c])
# contact planes and normal forces
let plane[c=1..2] = atan(e[c]*((rd[c]*cp - sp*cs[c])*ct + ss[c]*st)/(rd[c]*sp + cs[c]*cp))
let sd[c=1..2] = sin(plane[c])
let cd[c=1..2] = cos(plane[c])
let force = 1e4*(gd[1]*lam[1] + gd[2]*lam[2])
let weight = -1e4*(lam[1] + lam[2])
let det = -sd[1]*cd[2] - sd[2]*cd[1]
let n[c=1..2] = if(c == 1, cd[2]*force - sd[2]*weight, -cd[1]*force - sd[1]*weight)/det
# contact ellipses
let bend[c=1..2] = 0.5/(r[c]*sqrt(1 + rd[c]^2)) - 0.5*gdd[c]/(1 + gd[c]^2)^1.5
let size[c=1..2] = (3*abs(n[c])*(1 - sigma)*E/(2*circle*bend[c]*shear*sqrt(G)))^(1/3)
# creepage
let sc[c=1..2] = sin(theta/cd[c])
let cc[c=1..2] = cos(theta/cd[c])
let k1[c=1..2] = (-(omega + beta)*r[c]*(sc[c]*cs[c] + cc[c]*sp*ss[c]) + u
    - thetap*(r[c]*(sc[c]*sp*cs[c] + cc[c]*ss[c]) + xi[c]*sc[c]*cp) - phip*cc[c]*(xi[c]*sp - r[c]*cp*cs[c]))
let k2[c=1..2] = (omega + beta)*r[c]*cp*ss[c] + v + phip*(xi[c]*cp + r[c]*sp*cs[c])
let k3[c=1..2] = (-(omega + beta)*r[c]*(cc[c]*cs[c] - sc[c]*sp*ss[c]) + speed + w
    - thetap*(xi[c]*cc[c]*cp + r[c]*(cc[c]*sp*cs[c] - sc[c]*ss[c])) + phip*sc[c]*(xi[c]*sp - r[c]*cp*cs[c]))
let roll[c=1..2] = 0.5*sqrt((k1[c] - 2*u)^2 + (k2[c] - 2*v)^2 + (k3[c] - 2*w - 2*speed)^2)
let nux[c=1..2] = (sc[c]*k1[c] + cc[c]*k3[c])/roll[c]
let nuy[c=1..2] = (cc[c]*cd[c]*k1[c] - e[c]*sd[c]*k2[c] - sc[c]*cd[c]*k3[c])/roll[c]
let spin[c=1..2] = (e[c]*sd[c]*(omega + beta) + cd[c]*thetap)/roll[c]
let wt[c=1..2] = mu*n[c]
let ax[c=1..2] = -wt[c]*tanh(shear*size[c]^2*c11*nux[c]/wt[c])
let ay[c=1..2] = -wt[c]*tanh(shear*size[c]^2*c22*nuy[c]/wt[c] + shear*size[c]^3*c23*spin[c]/wt[c])
let cut[c=1..2] = if(ax[c]^2 + ay[c]^2 > wt[c]^2, abs(wt[c])/sqrt(ax[c]^2 + ay[c]^2), 1)
let t1[c=1..2] = cut[c]*(sc[c]*ax[c] + cc[c]*cd[c]*ay[c])
let t2[c=1..2] = -cut[c]*e[c]*sd[c]*ay[c]
let t3[c=1..2] = cut[c]*(cc[c]*ax[c] - sc[c]*cd[c]*ay[c])

x' = u
y' = v
z' = w
theta' = thetap
phi' = phip
m*u' = sum(c=1..2, t1[c]) + force - 2*cx*x
m*v' = sum(c=1..2, t2[c]) + weight - m*grav
m*w' = sum(c=1..2, t3[c]) - 2*cz*z
I2*cp*thetap' = (I2*thetap*phip*sp - I1*(omega + beta)*phip - (I1 - I2)*thetap*sp*phip
    - cp*2*half^2*cz*theta + sum(c=1..2, 1e4*q4[c]*lam[c] - (xi[c]*st + r[c]*ss[c]*ct*cp)*t1[c]
    - r[c]*ss[c]*sp*t2[c] + (-xi[c]*ct + r[c]*ss[c]*st*cp)*t3[c]))
I2*phip' = (I1*(omega + beta)*thetap*cp + (I1 - I2)*thetap*sp*thetap*cp
    + sum(c=1..2, 1e4*q5[c]*lam[c] - (xi[c]*ct*sp - r[c]*cs[c]*ct*cp)*t1[c]
    + (xi[c]*cp + r[c]*cs[c]*sp)*t2[c] + (xi[c]*st*sp - r[c]*cs[c]*st*cp)*t3[c]))
I1*sp*thetap' + I1*beta' = (-I1*thetap*phip*cp - sp*2*half^2*cz*theta
    + sum(c=1..2, -r[c]*(cs[c]*st + ss[c]*ct*sp)*t1[c] + r[c]*ss[c]*cp*t2[c]
    - r[c]*(cs[c]*ct - ss[c]*st*sp)*t3[c]))
for c = 1..2 {
    0 = gd[c]*u - v + q4[c]*thetap + q5[c]*phip
    0 = gd[c]*(rd[c]*sp + cp*cs[c]) + rd[c]*ct*cp - ct*sp*cs[c] + st*ss[c]
    0 = rd[c]*st*cp - st*sp*cs[c] - ct*ss[c]
}
over t = 0 .. 10
