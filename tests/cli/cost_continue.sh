# tol: 0.1
# floor: 1
# What continuation costs: the values on the way, and intervals and iterations of the first solution for each.
way() { # MODEL OPTION ...
    echo "$*" | sed 's|.*/||'
    "$REGULA" solve "$@" --verbose --no-estimate 2>&1 > /dev/null | sed -n -e 's/^continuation: //p' \
        -e 's/^collocation: \(.*\) intervals, .* stages: solved after \(.*\) iterations/  \1 \2/p' |
        awk '/=/ || is_first { print } { is_first = /=/ || NR == 1 }'
}
cat > layer.rg << 'M'
param eps = 0.1
var y ~ t
over t = 0 .. 1
eps*y'' = y - y*y'
boundary y(0) = -1/3
boundary y(1) = 1/3
M
way layer.rg --continue eps=0.1..1e-6
way "$EXAMPLES/bvp/cash-32.rg" --continue eps=0.1..1e-4
way "$EXAMPLES/bvp/cash-23.rg" --continue mu=1..12
way "$EXAMPLES/bvp/bratu.rg" --continue lam=-2..3
