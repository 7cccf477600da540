# tol: 0.02
# floor: 0.5
# What a flow costs whose viscosity rises and falls with time: steps, and those that were repeated.
cat > flow.rg << 'M'
domain x = 0..1 cells 12, y = 0..1 cells 12
vector u = (0, 0)
field p
u' + div(u*u) = div((0.01 + 0.2*exp(-((t - 0.5)/0.2)^2))*grad(u)) - grad(p)
div(u) = 0
boundary u(top) = (1, 0)
over t = 0 .. 2
M
"$REGULA" solve flow.rg --no-estimate --json | grep -oE '"(steps|rejected)": [0-9]*'
