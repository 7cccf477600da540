# An index that comes from combinations of equations: constant factors are taken, others refused.
# tol: 1e-7
"$REGULA" solve "$EXAMPLES/transfer/petry-6-2.rg" --method collocation --tol 1e-8 --at 0.5 --csv - --quiet | cut -d, -f1-6
"$REGULA" check "$EXAMPLES/transfer/petry-6-2.rg" | grep -oE 'sensitivity [0-9]'
printf '%s\n' 'var x ~ 1, y ~ 1' "x' + y' = y - x" "(2 + t)*(x' + y') = x - 2*y" 'over t = 0 .. 1' 'boundary x(1) = 1' > moving.rg
"$REGULA" solve moving.rg
