"$REGULA" solve a.rg b.rg
