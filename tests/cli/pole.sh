# A pole at t = 0 of a run from t = -1: there the step is below rounding as at t = 1, though t itself has no rounding.
printf '%s\n' 'var x = 1' 'over t = -1 .. 1' 't*x'"'"' = -x' >ode.rg
printf '%s\n' 'var x = 1, z' 'over t = -1 .. 1' 'x'"'"' = -z + cos(t)' 't*z = x - 1' >algebraic.rg
for model in ode algebraic; do
    for method in radau gauss lobatto3c sdirk rosenbrock $BDF; do
        "$REGULA" solve $model.rg --method $method >out 2>err && echo "$model, $method: taken for solved"
        grep -q '^error: stopped at t = -[0-9.]*e-1[3-6] ' err || { echo "$model, $method:"; cat err; }
    done
done
