"$REGULA" compare m.rg
