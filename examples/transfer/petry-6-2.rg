# A linear equation A y' + B(t) y = q(t) with a dense singular matrix A of rank 3 in five unknowns.
# Source: T. Petry, On the stability of the Abramov transfer for differential-algebraic equations of index 1, section 6.2.
# A = E diag(1,1,1,0,0) H, B = E diag(0,0,t+1,t+2,(t+1)^2) H, H the inverse of F.  The second condition at 0 and its
# right-hand side are corrected: rows 1 and 2 of F, cut off after three entries, times H.
title "Dense singular matrix (Petry, section 6.2)"
param E[i=1..5, k=1..5] = k^i
param H[k=1..5, j=1..5] = (
    -1/2,   2/3,  -1/24, -1/6,   1/24,
    1/20, -1/24,  -1/24, 1/24, -1/120,
       1,   2/3,  -7/12, -1/6,   1/12,
    -1/4, -1/24,   7/24, 1/24,  -1/24,
    1/30,     0,  -1/24,    0,  1/120)
param A[i=1..5, j=1..5] = sum(k=1..3, E[i,k]*H[k,j])
param C[k=1..3, j=1..5] = (
     7/5,  1/12, -11/24, -1/12,  7/120,
    7/10,   7/6, -19/24,  -1/6, 11/120,
   -1/10,   4/3,  19/24,  -4/3, 37/120)
let B[i=1..5, j=1..5] = (t + 1)*E[i,3]*H[3,j] + (t + 2)*E[i,4]*H[4,j] + (t + 1)^2*E[i,5]*H[5,j]
let z[j=1..5] = if(j == 1, sin(t) + cos(5*t), if(j == 2, t^2 + 3, if(j == 3, exp(-t),
    if(j == 4, cos(t)*exp(t), 1/(t + 1)))))
var y[i=1..5]

for i = 1..5 {
    sum(j=1..5, A[i,j]*y[j]' + B[i,j]*y[j]) = sum(j=1..5, A[i,j]*(z[j])' + B[i,j]*z[j])
}

over t = 0 .. 1
boundary sum(j=1..5, C[1,j]*y[j](0)) = 7/6
boundary sum(j=1..5, C[2,j]*y[j](0)) = 10/3
boundary sum(j=1..5, C[3,j]*y[j](1)) = 439/80 + 19/24*exp(-1) - 4/3*exp(1)*cos(1) - (cos(5) + sin(1))/10
for j = 1..5 {
    exact y[j] = z[j]
}
solve method = transfer
