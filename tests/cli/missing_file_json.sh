"$REGULA" solve nothere.rg --json
