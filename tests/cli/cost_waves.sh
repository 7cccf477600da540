# tol: 0.1
# floor: 1
# Meshes of boundary value problems with free and damped oscillations, and of orbits from guesses of several turns.
meshes() { # NAME [OPTION ...]: the model on standard input
    cat > "$1"
    echo "$*"
    "$REGULA" solve "$@" --verbose --no-estimate 2>&1 > /dev/null | sed -n -e 's/^.*\(error:\)/  \1/p' \
        -e 's/^collocation: \(.*\) intervals, \(.*\) stages: \(.*\) after \(.*\) iterations/  \1 \2 \4 \3/p'
}
for c in 0 20; do
    meshes wave.rg --set c=$c << 'M'
param w = 300, c = 0
var y
over t = 0 .. 1
y'' = -w^2*y - c*y' + sin(5*t)
boundary y(0) = 1
boundary y(1) = 0.3
M
done
for turns in 1 2 5; do
    meshes orbit.rg --set k=$turns << 'M'
param k = 1, mu = 0.5
var x ~ 2*cos(2*pi*k*s), y ~ -2*sin(2*pi*k*s), T ~ 6.4*k
over s = 0 .. 1
x' = T*y
y' = T*(mu*(1 - x^2)*y - x)
T' = 0
boundary x(0) = x(1)
boundary y(0) = y(1)
boundary y(0) = 0
M
done
