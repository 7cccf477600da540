param n = 4, L = 2
var y[i=1..n]
fun e(i, t) = sin(i + t)
for i = 1..n {
 y[i]'' = 9*y[i] + if(i > 1, y[i-1] - e(i - 1, t), 0) + if(i < n, y[i+1] - e(i + 1, t), 0) - 10*e(i, t)
 boundary y[i](0) = e(i, 0)
 boundary y[i](L) = e(i, L)
 exact y[i] = e(i, t)
}
over t = 0 .. L
