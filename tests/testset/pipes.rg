title "Pipe network with laminar and turbulent branches (water tube system of the IVP test set)"
param nu = 1.31e-6, rho = 1e3, g = 9.8, rcrit = 2.3e3, length = 1e3, k = 2e-4, d = 1, b = 2e2
param a = pi*d^2/4, mu = nu*rho
param first[j=1..18] = (1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 8, 8, 9, 11, 11, 12, 12, 13)
param last[j=1..18] = (2, 3, 6, 4, 5, 5, 10, 5, 4, 8, 5, 10, 8, 9, 12, 7, 8, 11)

var phi[j=1..18] = 0                           # flows
var lam[j=1..18] ~ 0.0475194045291852898       # coefficients of resistance
var p[i=1..13] ~ 109800                        # pressures; nodes 5 and 8 are buffers

let hour = t/3600
let in1 = (1 - cos(exp(-hour) - 1))/200
let in13 = (1 - cos(exp(-hour) - 1))/80
let out10 = hour^2*(3*hour^2 - 92*hour + 720)/1e6

for j = 1..18 {
    rho*length/a*phi[j]' = p[first[j]] - p[last[j]] - if(abs(phi[j]*d/(nu*a)) > rcrit,
        lam[j]*rho*length*phi[j]^2/(a^2*d), 32*mu*length*phi[j]/(a*d^2))
    0 = 1/sqrt(lam[j]) - 1.74 + 2*log10(2*k/d + 18.7/(if(abs(phi[j]*d/(nu*a)) > rcrit,
        abs(phi[j]*d/(nu*a)), rcrit)*sqrt(lam[j])))
}
for i = 1..13 {
    if(i == 5 or i == 8, b/(rho*g), 0)*p[i]' = (if(i == 1, in1, 0) + if(i == 13, in13, 0)
        - if(i == 10, out10, 0) + sum(j=1..18, if(last[j] == i, phi[j], 0))
        - sum(j=1..18, if(first[j] == i, phi[j], 0)))
}
over t = 0 .. 61200
