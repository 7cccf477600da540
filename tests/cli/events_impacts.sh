# What an event leaves to the constraints: velocities jump by impulses, momentum is kept, positions stay.
# floor: 1e-12
# tol: 1e-9
run() { "$REGULA" solve "$@" --csv - 2>&1 | awk -F, 'NR == 1 { print } NR > 1 && $1 == last { print } { last = $1 }'; }
# two masses, whose relative velocity is set: m1 v1 + m2 v2 = 8
cat > pair.rg <<END
param m1 = 1, m2 = 3
state w = 0
var x1 = 0, x2 = 1, v1 = 2, v2 = 2, lam
x1' = v1
x2' = v2
m1*v1' = -lam
m2*v2' = lam
v2 - v1 = w
when "kick" t >= 1 { w = 1 }
output v1, v2, p = m1*v1 + m2*v2
over t = 0 .. 2
END
run pair.rg
# ... with equations that are divided by the masses, and turned
sed "s/m1\*v1' = -lam/v1' = -lam\/m1/; s/m2\*v2' = lam/-v2' = -lam\/m2/" pair.rg > divided.rg
run divided.rg
# a dumbbell: one velocity assigned, the others by the impulse in the rod, which is 2.3076923077
cat > dumbbell.rg <<END
param m1 = 1, m2 = 3
var x1 = 0, y1 = 1, x2 = 0.6, y2 = 1.8
var x1' = 0, y1' = -1, x2' = 0, y2' = -1, lam
m1*x1'' = -2*lam*(x1 - x2)
m1*y1'' = -2*lam*(y1 - y2)
m2*x2'' = 2*lam*(x1 - x2)
m2*y2'' = 2*lam*(y1 - y2)
(x1 - x2)^2 + (y1 - y2)^2 = 1
when "floor" y1 <= 0 { y1' = 1 }
output x1, y2, vx1 = x1', vy1 = y1', vx2 = x2', vy2 = y2', px = m1*x1' + m2*x2', impulse = (m2*(y2' + 1))/0.8
over t = 0 .. 2
END
run dumbbell.rg
# a mass matrix that is full: a cart with a rod gets another velocity than a mass on it; both momenta are kept
cat > cart.rg <<END
param M = 2, m = 1, l = 1
state w = 0
var x = 0, a = 0.5, lam, s = 0
var x' = 1, a' = 0, s' = 1
(M + m)*x'' + m*l*cos(a)*a'' = m*l*sin(a)*a'^2 - lam
m*l*cos(a)*x'' + m*l^2*a'' = 0
0.5*s'' = lam
s' = x' + w
when "kick" t >= 1 { w = 1 }
output vx = x', va = a', vs = s', p = (M + m)*x' + m*l*cos(a)*a' + 0.5*s', L = m*l*cos(a)*x' + m*l^2*a'
over t = 0 .. 2
END
run cart.rg
# no mechanics: y acts on b alone, and both change as little as possible
cat > plain.rg <<END
state k = 1
var a = 0.5, b = 0.5, y
a' = 0
b' = y
a + b = k
when t >= 1 { k = 2 }
output a, b
over t = 0 .. 2
END
run plain.rg
# bodies that stick from a collision on: a state makes a constraint of the equation of the force; p = 4
cat > stick.rg <<END
param m[i=1..3] = (1, 2, 5)
state stuck[i=1..2] = 0
var x[i=1..3] = 2*(i-1), u[i=1..3] = if(i == 1, 4, 0), f[i=1..2]
for i = 1..3 {
    x[i]' = u[i]
    m[i]*u[i]' = if(i == 1, 0, f[i-1]) - if(i == 3, 0, f[i])
}
for i = 1..2 {
    0 = if(stuck[i] > 0.5, u[i] - u[i+1], f[i])
    when "hit" x[i] > x[i+1] { stuck[i] = 1 }
}
output u[1], u[2], u[3], p = sum(i=1..3, m[i]*u[i])
over t = 0 .. 4
END
run stick.rg
