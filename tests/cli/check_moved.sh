# tol: 1e-6
# Values that moved come first, then given ones; --verbose shows all of a long list.
cat > m.rg <<'EOF'
var u[i=1..24] ~ 1, p ~ 1, q ~ -1, lam ~ 0
for i = 1..24 { u[i]' = 0 }
p'' = -p*lam
q'' = -q*lam - 9.81
p^2 + q^2 = 1
over t = 0 .. 1
EOF
"$REGULA" check m.rg | sed -n '/consistent/,$p'
"$REGULA" check m.rg --verbose 2> log | grep -c 'u\['
