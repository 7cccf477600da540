# An index that comes from combinations of equations, with constant factors and with others; constraints written twice; refused: an
# equation too many whose place no multiplier fills.
# tol: 1e-7
"$REGULA" solve "$EXAMPLES/transfer/petry-6-2.rg" --method collocation --tol 1e-8 --at 0.5 --csv - --quiet | cut -d, -f1-6
"$REGULA" check "$EXAMPLES/transfer/petry-6-2.rg" | grep -oE 'sensitivity [0-9]'
printf '%s\n' 'var x ~ 1, y ~ 1' "x' + y' = y - x" "(2 + t)*(x' + y') = x - 2*y" 'over t = 0 .. 1' 'boundary x(1) = 1' > moving.rg
"$REGULA" solve moving.rg --at 0,0.5,1 --csv - --quiet
cat > twice.rg << 'MODEL'
var x1 ~ 0.5, x2 ~ 0.5, a, b
x1' = x2 + a + t*b
x2' = -x1 + 2*(a + t*b)
x1 + x2 = 1 + sin(t)
(1 + t)*(x1 + x2 - 1 - sin(t)) = 0
over t = 0 .. 2
boundary x1(0) + x1(2) = 1
MODEL
"$REGULA" solve twice.rg --tol 1e-9 --at 0.5,2 --csv - --quiet
printf '%s\n' 'var x ~ 1, y ~ 1' "x' + y' = y - x" "2*x' + 2*y' = 2*y - 2*x" 'over t = 0 .. 1' 'boundary x(1) = 1' > open.rg
"$REGULA" solve open.rg
