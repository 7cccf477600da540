"$REGULA" solve nothere.rg
