# Which condition follows from what, or contradicts what; how many are wanted; and conditions that nothing can meet.
# tol: 1e-6
solve() { # model text: conditions follow the pendulum
    cat > m.rg
    echo "$1"
    "$REGULA" solve m.rg 2>&1 | grep -E 'error:|remedy|warning|^  [xyn] '
    echo "exit ${PIPESTATUS[0]}"
}
pendulum() {
    printf '%s\n' 'param g = 9.81' "var x ~ ${2:-0.5 - t}, y ~ ${3:--1}, lambda ~ 10" "x'' = -x*lambda" "y'' = -y*lambda - g" 'x^2 + y^2 = 1' \
        'over t = 0 .. 1' | cat - "$1"
}
cat > implied << 'END'
boundary x(0) = 0.6
boundary y(0) = -0.8
boundary x(1) = -0.6
boundary 0.6*x'(0) - 0.8*y'(0) = 0
END
pendulum implied | solve 'implied by the constraint and by its derivative'
sed 's/-0.8$/-0.7/' implied > contradicts
pendulum contradicts | solve 'contradicts the constraint'
pendulum implied 0.5 -0.5 | solve 'a poor guess'
pendulum implied 0 1 | solve 'the guess is on the other branch'
sed -e "/y(0)/d; /x'(0)/d" -e 's/= 0.6/= 2/' implied > impossible
pendulum impossible | solve 'a place that the rod does not reach'
solve 'a loop and an unknown constant' << 'END'
param N = 3, T ~ 1
var u[i=1..N]
for i = 1..N { u[i]' = T*u[i] }
over t = 0 .. 1
for i = 1..N { boundary u[i](0) = 1 }
for i = 1..N { boundary u[i](1) = 2 }
END
solve 'no unknown in a condition' << 'END'
var y
y'' = 1
over x = 0 .. 1
boundary y(1) = 1
boundary 2 = 3
END
solve 'a square that is negative' << 'END'
var y ~ 1
y'' = y
over x = 0 .. 1
boundary y(0)^2 = -1
boundary y(1) = 0
END
# 0 = a + n/1e10: the condition on a leaves n to the constraint, although its factor is small
solve 'units of very different size' << 'END'
var x, n, p
x' = p
n' = 1e10*(2*t + p - cos(t))
0 = x + 1e-10*n - sin(t) - t^2
over t = 0 .. 1
boundary x(1) = sin(1)
END
# nothing is differentiated: no modes, no states
printf 'var y, z\n0 = y - sin(t)\n0 = z - y^2\nover t = 0 .. 1\nboundary z(1) = sin(1)^2\n' > a.rg
"$REGULA" solve a.rg --at 1 --csv - --quiet
