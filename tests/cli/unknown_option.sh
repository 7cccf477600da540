"$REGULA" solve m.rg --tool 1e-3
