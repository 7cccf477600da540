"$REGULA" solve m.rg -t 1e-3
