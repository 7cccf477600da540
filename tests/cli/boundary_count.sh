printf "var x\nx'' = -x\nboundary x(end) = 1\nover t = 0 .. 1\n" > m.rg
"$REGULA" check m.rg
