printf "var x = 1, y\nx' = -x\nover t = 0 .. 1\n" > m.rg
"$REGULA" check m.rg
