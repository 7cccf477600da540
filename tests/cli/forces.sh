# Forces of constraints in CSV files, of the reduced model and of the model as written, and those of srm.
# tol: 1e-4
# floor: 1e-6
cat > pendulum.rg << 'END'
var p = 1, q = 0, lam
p'' = -lam*p
q'' = -lam*q - 9.81
p^2 + q^2 = 1
over t = 0 .. 1
END
cat > index2.rg << 'END'
var x = 0, y
x' = cos(t)*t - y
x = 0
over t = 0 .. 1
END
for formulation in auto direct; do
    for model in pendulum index2; do "$REGULA" solve $model.rg --at 0.5,1 --csv - --quiet --formulation $formulation; done
done
"$REGULA" solve index2.rg --method srm --at 0.5,1 --csv - --quiet
"$REGULA" solve pendulum.rg --method srm --at 0.5,1 --csv - --quiet | head -n 1
