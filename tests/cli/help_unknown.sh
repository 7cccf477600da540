"$REGULA" help langage
