# tol: 1e-8
# A mass matrix that moves with x: derivatives of the iterates come from differences then.  Exact: cos(t), sin(t), cos(t).
cat > m.rg <<'END'
var p ~ cos(t), q ~ sin(t)
var l ~ 0
(1 + 0.5*p^2)*p'' = -p*l - (1 + 0.5*p^2)*cos(t) + p*cos(t)
(2 + 0.3*q^2)*q'' = -q*l - (2 + 0.3*q^2)*sin(t) + q*cos(t)
0 = p^2 + q^2 - 1
over t = 0 .. 1
boundary q(start) = 0
boundary q(end) = sin(1)
exact p = cos(t)
exact q = sin(t)
exact l = cos(t)
solve method = srm
END
"$REGULA" solve m.rg --at 0,0.5,1 --csv - --quiet | cut -d, -f1-4
