# Sizes up to which a method, a loop or an option goes: what is larger is refused with the number.
try() { # NAME OPTION ...: the model on standard input
    name=$1
    shift
    cat > "$name.rg"
    echo "$name"
    "$REGULA" solve "$name.rg" --no-estimate "$@" 2>&1 > printed | sed "s/^\($name.rg:[0-9]*\).*error:/\1: error:/"
    echo "exit ${PIPESTATUS[0]}"
}
try loop << 'M'
var y = 0
y' = sum(i=1..30000, j=1..20000, i*j)
over t = 0 .. 1
M
try carried --method transfer << 'M'
var y[i=1..1001]
for i = 1..1001 {
    y[i]' = -y[i]
    boundary y[i](end) = 1
}
over t = 0 .. 1
M
try full << 'M'
var y[i=1..501]
for i = 1..501 {
    y[i]' = sum(j=1..501, sin(i*j)*y[j])
    boundary y[i](end) = 1
}
over t = 0 .. 1
M
try stages --method srm --step 1e-5 --max-steps 100000 << 'M'
var x[i=1..30], y
for i = 1..30 {
    x[i]' = x[i] + y
}
x[1] = t
over t = 0 .. 1
for i = 2..30 {
    boundary x[i](end) = 1
}
M
try wave --guess mode=101 << 'M'
var y
y'' = -y
over t = 0 .. 1
boundary y(0) = 0
boundary y(1) = 1
M
try oscillation << 'M'
var y
y'' = -1e14*y
over t = 0 .. 1
boundary y(0) = 0
boundary y(1) = 1
M
