# The mistakes in models with fields that the manual lists: place, message and remedy of each.
say() { # NAME: the model on standard input
    cat > "$1"
    "$REGULA" check "$1" --quiet > /dev/null
    echo "exit $?" >&2
}
flow='title "Flow"
param Re = 100, N = 8
domain x = 0..1 cells N, y = 0..1 cells N
vector u = (0, 0)
field p
'
darcy='param N = 4
domain x = 0..1 cells N, y = 0..1 cells N
field p, c = 0
vector u
fun mu(s) = 1 + s
mu(c)*u = -grad(p)
div(u) = 0
c'\'' + div(u*c) = 0
over t = 0 .. 1
'
{ echo "$flow"; echo "u' + div(u*u) = lap(u)/Re - p"; echo 'div(u) = 0'; echo 'over t = 0 .. 1'; } | say cavity.rg
{ echo "$flow"; echo "u' + div(u*u) = lap(u)/Re - grad(p)"; echo 'div(p) = 0'; echo 'over t = 0 .. 1'; } | say cavity.rg
{ printf '%s' "$flow"; echo "u' + div(u*u) = lap(u)/Re - grad(p)"; echo 'div(u) = 0'; echo 'over t = 0 .. 1'
  echo 'boundary u(left) = (4*y*(1 - y), 0)'; } | say channel.rg
{ printf '%s' "$darcy"; echo 'well injector at (0, 0) rate 1 with c = 1'; echo 'well producer at (1, 1) rate -.5'; } | say fivespot.rg
{ printf '%s' "${flow/cells N, y/cells 64.5, y}"; } | say cavity.rg
{ printf '%s' "$flow"; echo "u' + div(u*u) = lap(u)/Re - grad(p)"; echo 'div(u) = 0'; echo 'over t = 0 .. 1'
  echo 'boundary u(up) = (1, 0)'; } | say cavity.rg
{ printf '%s' "$flow"; echo "u' + div(u*u) = lap(u)/Re - grad(p)"; echo 'over t = 0 .. 1'; } | say burgers.rg
{ printf '%s' "$flow"; echo 'field rho = 1'; echo "u' + div(u*u) = lap(u)/Re - grad(p)"; echo "rho' + div(rho*u) = 0"
  echo 'over t = 0 .. 1'; } | say gas.rg
printf '1,2,3,4\n1,2,3,4\n1,2,3,4\n1,2,3\n' > perm.csv
{ printf '%s' "$darcy"; echo 'data K = "perm.csv"'; } | say layer.rg
printf '1,2,3,4\n1,2,0,4\n1,2,3,4\n1,2,3,4\n' > perm.csv
{ printf '%s' "${darcy/mu(c)\*u/mu(c)/K*u}"; echo 'data K = "perm.csv"'; } | say layer.rg
{ printf '%s' "$flow"; echo 'solid wall = x > .2 and x < .6'; echo "u' + div(u*u) = lap(u)/Re - grad(p)"; echo 'div(u) = 0'
  echo 'boundary u(left) = (4*y*(1 - y), 0), p(right) = 0'; echo 'over t = 0 .. 1'; } | say obstacle.rg
{ printf '%s' "$darcy"; echo 'boundary u(left) = (1, 0)'; } | say darcy.rg
{ printf '%s' "${flow/cells N, y/cells N periodic, y}"; echo "u' + div(u*u) = lap(u)/Re - grad(p)"; echo 'div(u) = 0'
  echo 'over t = 0 .. 1'; echo 'boundary u(left) = (1, 0)'; } | say tg.rg
{ printf '%s' "$darcy"; echo 'well injector at (1.2, 0) rate 1'; } | say five.rg
heat='domain x = 0..1 cells 8, y = 0..1 cells 8
field T = 0
over t = 0 .. 1
'
{ printf '%s' "$heat"; echo "T' = laplacian(T)"; } | say heat.rg
{ printf '%s' "$heat"; echo "T' + (1, 0)*grad(T) = lap(T)"; } | say heat.rg
{ printf '%s' "$heat"; echo "2*dT/dt = lap(T)"; } | say heat.rg
printf '%s\n' 'var T = 0' "T' = lap(T)" 'over t = 0 .. 1' | say heat.rg
{ printf '%s' "$heat"; echo "T' = lap(T)"; echo 'boundary flux(T, right) = -40*T'; } > gain.rg
"$REGULA" solve gain.rg --quiet > /dev/null
echo "exit $?" >&2
{ printf '%s' "$heat"; echo 'field s'; echo "T' = lap(T)"; echo '0 = lap(s) - s + T'; echo 'boundary flux(T, right) = s'; } | say heat.rg
{ printf '%s' "$heat"; echo "T' = lap(T)"; echo 'vector w = (0)'; echo 'output a = mean(curl(w)[x])'; } | say heat.rg
# names that nobody declared: a field, not a variable; the time of a model at rest
still='domain x = 0..1 cells 4
field c
'
{ printf '%s' "$still"; echo '0 = lap(c) + t'; echo 'boundary c(left) = 0'; } | say still.rg
{ printf '%s' "$still"; echo '0 = lap(c) + heat'; echo 'boundary c(left) = 0'; } | say still.rg
