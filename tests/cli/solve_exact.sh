# tol: 1e-4
cat > m.rg << 'END'
title "A known solution"
var x = 1, x' = 0
var λ
x'' = -x
λ = 2*x
over s = 0 .. 1
exact x = cos(s)
exact λ = 2*cos(s)
END
"$REGULA" solve m.rg --tol 1e-8 | sed -e 's/[0-9]* steps and [0-9]* rejected/N steps/' -e 's/, [^ ]* s$/, S s/' -e 's/over the run: [^,]*/over the run: E/' -e 's/[0-9.]*e-[01][0-9]$/tiny/'
