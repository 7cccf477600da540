# Mistakes in events, each at its place.
cat > m.rg <<END
state k = 0
var x = 1, a
x' = -a
a = x
when x < 0.5 { a = 3; p = 3; k' = 2; x' = 3 }
when x { k = 1 }
when x == 0 { k = 1 }
every 0 { k = 2 }
var q[i=1..k] = 0
over t = 0 .. 2
END
"$REGULA" check m.rg; echo $?
cat > m.rg <<END
var x = 1
x' = -x
when x < 0.5 {
 var y = 2
 stop "a"
 when x < 3 { x = 2 }
}
stop "abc"
when (x < 3 and not (x > 2)) { x = 3 }
every 2*pi from 0.1 { x = 1 }
when not x > 3 { x = 2
over t = 0 .. 2
END
"$REGULA" check m.rg; echo $?
printf "state k = 1\nvar x\nx'' = -k*x\nboundary x(start) = 0, x(end) = 1\nover t = 0 .. 1\n" > m.rg
"$REGULA" check m.rg; echo $?
# what the constraints determine at every time
printf "var x = 0, y\nx' = y\nx = sin(t)\nwhen t >= 1 { x = 3 }\nover t = 0 .. 2\n" > m.rg
"$REGULA" solve m.rg > /dev/null; echo $?
