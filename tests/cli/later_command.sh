"$REGULA" order m.rg
