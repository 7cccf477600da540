title "Four-bar, heavy to the left: at rest where it is singular, for e = 0"
param N = 1, g = 9.81, e = 0, w = -sqrt(12*g/5*(1 + e)*(1 - cos(pi/4)))
var x[i=0..N] = i + cos(pi/4), y[i=0..N] = sin(pi/4), x[i=0..N]' = -sin(pi/4)*w, y[i=0..N]' = cos(pi/4)*w
var a[i=0..N], b[i=1..N]
for i = 0..N {
    (1/3 + if(i > 0, 1/3, 0) + if(i < N, 1/3, 0))*x[i]'' + if(i > 0, x[i-1]''/6, 0) + if(i < N, x[i+1]''/6, 0) =
        -(x[i] - i)*a[i] - if(i > 0, (x[i] - x[i-1])*b[i], 0) + if(i < N, (x[i+1] - x[i])*b[i+1], 0) -
        g/2 - if(i > 0, g/2, 0) - if(i < N, g/2, 0)
    (1/3 + if(i > 0, 1/3, 0) + if(i < N, 1/3, 0))*y[i]'' + if(i > 0, y[i-1]''/6, 0) + if(i < N, y[i+1]''/6, 0) =
        -y[i]*a[i] - if(i > 0, (y[i] - y[i-1])*b[i], 0) + if(i < N, (y[i+1] - y[i])*b[i+1], 0)
    ((x[i] - i)^2 + y[i]^2 - 1)/2 = 0
}
for i = 1..N {
    ((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - 1)/2 = 0
}
over t = 0 .. 8
output y[0]
