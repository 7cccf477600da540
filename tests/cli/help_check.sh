"$REGULA" check -h
