echo "var x = 1; x' = -x; over t = 0 .. 1; solve tool = 1e-3" > m.rg
"$REGULA" solve m.rg
