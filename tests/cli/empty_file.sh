: > m.rg
"$REGULA" check m.rg
