# Two values for one unknown at the start: told, wherever they stand; the same value twice is none.
model() { printf "$@" > m.rg; "$REGULA" solve m.rg; echo "exit $?"; }
model "var y\ny'' = y\nover t = 0 .. 1\nboundary y(0) = 1\nboundary y(0) = 2\n"
model "var y = 3\ny' = -y\nover t = 0 .. 1\nboundary y(0) = 1\n"
model "var x[i=1..2] = 1\nfor i = 1..2 { x[i]' = -x[i] }\nover t = 0 .. 1\nboundary x[2](0) = 4\n"
model "var y\ny' = -y\nover t = 0 .. 1\nboundary y(0) = 1\nboundary y(0) = 1\n" | tail -n +2
model "var y ~ 3\ny' = -y\nover t = 0 .. 1\nboundary y(0) = 1\n" | tail -n +2
