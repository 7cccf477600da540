"$REGULA" check m.rg --csv x
