# tol: 0.3
# floor: 3e-13
# Errors that the transfer of conditions estimates: by a second run for nonlinear equations, outputs and fixed steps.
estimate() { # MODEL OPTION ...
    printf '%s: ' "$*" | sed 's|.*/||'
    "$REGULA" solve "$@" --method transfer --json 2>&1 |
        grep -o '"estimate": [^,]*\|"steps": [0-9]*\|"status": "[a-z]*"\|"warnings": \["[^"]*"\|error: .*' | tr '\n' ' '
    echo
}
cat > nonlinear.rg << 'M'
param lam = 1
var y ~ 0.5, z ~ 0
over t = 0 .. 1
y' = z
z' = -lam*exp(y)
boundary y(0) = 0
boundary y(1) = 0
M
cat > output.rg << 'M'
var y, z
over t = 0 .. 3
y' = z
z' = y*(1 + t)
boundary y(0) = 1
boundary y(3) = 2
output p = y*z, q = y^2
M
cat > stiff.rg << 'M'
param k = 40
var y, z
over t = 0 .. 1
y' = z
z' = k^2*(y - cos(3*t)) + sin(20*t)
boundary y(0) = 1
boundary y(1) = 2
M
estimate nonlinear.rg --newton full
estimate nonlinear.rg --newton full --tol 1e-3
estimate nonlinear.rg --newton modified --set lam=3 --tol 1e-4
estimate nonlinear.rg --newton full --step 0.05
estimate output.rg
estimate output.rg --tol 1e-3
estimate output.rg --step 0.1
estimate output.rg --step 0.5
estimate stiff.rg
estimate stiff.rg --set k=3000 --tol 1e-3
estimate stiff.rg --step 0.1
estimate stiff.rg --step 0.25 --tol 1e-9
cat > grows.rg << 'M'
param a = 12
var y, z
over t = 0 .. 2
y' = a*y + z
z' = -sin(t)*y
boundary y(2) = 1
boundary z(0) = 1
M
cat > growing.rg << 'M'
param a = 12
var y, z
over t = 0 .. 2
y' = a*y*cos(2*t) + z
z' = y - z*cos(t)
boundary y(0) + z(2) = 1
boundary z(0) - y(2) = 3
M
estimate grows.rg
estimate growing.rg
estimate growing.rg --set a=25
estimate growing.rg --set a=60
