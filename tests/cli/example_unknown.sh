"$REGULA" example pendulm
