"$REGULA" solve --json
