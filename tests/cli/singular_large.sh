# A large block of algebraic equations that is singular (both ends free) or regular.
cat > large.rg << 'M'
param N = 400, s = 0
var x = 0, u[i=1..N]
over t = 0 .. 1
x' = u[1]
for i = 1..N {
    0 = (if(i == 1, s, 1) + if(i == N, s, 1))*u[i] - if(i == 1, 0, u[max(i-1,1)]) - if(i == N, 0, u[min(i+1,N)]) - 1
}
M
for s in 0 1; do
    "$REGULA" check large.rg --set s=$s 2> /dev/null | grep '^index'
done
