# Hidden constraints and second derivatives of all formulations: p'' is carried by the reduced and the stabilized form.
# tol: 1e-4
cat > bob.rg <<'END'
var p = 1, q = 0, u = 0, v = 0, lam
p' = u
q' = v
u' = -p*lam
v' = -q*lam - 1
0 = p^2 + q^2 - 1
over t = 0 .. 1
output p, p'', u'
END
for word in auto ggl projected; do
    "$REGULA" solve bob.rg --formulation $word --tol 1e-8 --at 1 --csv - --quiet
done
"$REGULA" solve bob.rg --formulation direct --quiet
echo "exit $?"
"$REGULA" solve "$EXAMPLES/ivp/bricard.rg" --formulation ggl --quiet
echo "exit $?"
"$REGULA" solve bob.rg --method bdf --formulation ggl --quiet
echo "exit $?"
