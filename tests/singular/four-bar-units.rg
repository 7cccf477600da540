title "The four-bar mechanism with N = 2 in units of 1/u m"
param N = 2, u = 1000, g = 9.81*u
var x[i=0..N] = u*i, y[i=0..N] = u, x[i=0..N]' = u, y[i=0..N]' = 0
var a[i=0..N], b[i=1..N]

for i = 0..N {
    (1/3 + if(i > 0, 1/3, 0) + if(i < N, 1/3, 0))*x[i]'' + if(i > 0, x[i-1]''/6, 0) + if(i < N, x[i+1]''/6, 0) =
        -(x[i] - u*i)*a[i] - if(i > 0, (x[i] - x[i-1])*b[i], 0) + if(i < N, (x[i+1] - x[i])*b[i+1], 0)
    (1/3 + if(i > 0, 1/3, 0) + if(i < N, 1/3, 0))*y[i]'' + if(i > 0, y[i-1]''/6, 0) + if(i < N, y[i+1]''/6, 0) =
        -y[i]*a[i] - if(i > 0, (y[i] - y[i-1])*b[i], 0) + if(i < N, (y[i+1] - y[i])*b[i+1], 0) -
        g/2 - if(i > 0, g/2, 0) - if(i < N, g/2, 0)
    ((x[i] - u*i)^2 + y[i]^2 - u^2)/2 = 0
}
for i = 1..N {
    ((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - u^2)/2 = 0
}

over t = 0 .. 10
output x0 = x[0]/u, y0 = y[0]/u
