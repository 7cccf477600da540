printf "var x = 1\nx' = -y\nover t = 0 .. 1\n" > m.rg
"$REGULA" solve m.rg --json
