# A crank that moves freely, a = 0.3 + 2 t: steps of several turns, yet every dead centre is told (32 to t = 50).
printf '%s\n' 'var a = 0.3, b = -0.3' "var a' = 2" 'var mu' 'over t = 0 .. 50' "a'' = -mu*cos(a)" "b'' = -mu*cos(b)" \
    'sin(a) + sin(b) = 0' 'exact a = 0.3 + 2*t' >crank.rg
"$REGULA" solve crank.rg | grep -o 'passed .* at'
"$REGULA" solve crank.rg --json | grep -o '"lost": 1' | wc -l
