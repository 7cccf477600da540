"$REGULA" m.rg
