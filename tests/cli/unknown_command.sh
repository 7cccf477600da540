"$REGULA" slove m.rg
