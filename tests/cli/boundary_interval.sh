# tol: 1e-6
# `start` and `end` move with the interval; a value stays where it is.
cat > m.rg << 'END'
var y
y'' = 0
over x = 0 .. 1
boundary y(start) = 1
boundary y(end) = 3
END
"$REGULA" solve m.rg --from -1 --to 3 --points 3 --csv - --quiet
sed -e 's/start/0/' -e 's/end/1/' m.rg > n.rg
"$REGULA" solve n.rg --from -1 --to 3 --points 3 --csv - --quiet
sed -e 's/= 3/+ y(1) = 3/' m.rg > o.rg
"$REGULA" solve o.rg --to 3
