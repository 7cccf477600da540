echo "var x = 1; x' = -x; over t = 0 .. 1; solve method = raddau" > m.rg
"$REGULA" solve m.rg
