# tol: 0.1
# Start values that are not found at once: the stages of the search, the last damping of Levenberg-Marquardt, and what
# is found.
start() { # NAME: equations for y and z on standard input
    echo "$1"
    { echo "x' = y"; cat; echo 'over t = 0 .. 1e-6'; } > "$1.rg"
    "$REGULA" solve "$1.rg" --verbose --no-estimate --csv o.csv 2>&1 > /dev/null |
        sed -n -e 's/, miss.*//; s/lambda .*e+\(0[6-9]\|1.\)$/lambda large/' \
            -e 's/^start values: \([dLha].*\)/  \1/p; s/^.*\(error: .*\)/  \1/p'
    sed -n 2p o.csv 2> /dev/null
    rm -f o.csv
}
start at_zero << 'M'
var x = 0, y, z
0 = sqrt(y) + z - 2
0 = y*log(z + 1) - 0.3
M
start logarithm << 'M'
var x = 0, y
0 = log(y) + y
M
start flat << 'M'
var x = 0, y ~ 40
0 = exp(-y) - 0.5
M
start valley << 'M'
var x = 0, y ~ -1.2, z ~ 1
0 = 100*(z - y^2)
0 = 1 - y + 0.3*sin(7*z)
M
start bend << 'M'
var x = 0, y ~ 0.5, z ~ -2
0 = -13 + y + ((5 - z)*z - 2)*z
0 = -29 + y + ((z + 1)*z - 14)*z
M
start product << 'M'
var x = 0, y ~ 0, z ~ 1
0 = 1e4*y*z - 1
0 = exp(-y) + exp(-z) - 1.0001
M
start none << 'M'
var x = 0, y ~ 3
0 = y^2 + 1
M
