"$REGULA" methods
