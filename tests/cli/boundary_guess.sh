# Files for --guess, good and bad; options for boundary values where there are none.
# tol: 1e-5
cat > m.rg << 'END'
param lambda = 1
var y
y'' = -lambda*exp(y)
over x = 0 .. 1
boundary y(0) = 0
boundary y(1) = 0
END
try() { # file in printf's format: the upper solution, or a mistake
    printf "$1" > g.csv
    "$REGULA" solve m.rg --guess g.csv --at 0.5 --csv - --quiet 2>&1 | cut -d, -f1-2 | grep -v remedy
    echo "exit ${PIPESTATUS[0]}"
}
try 'x,y\n0,0\n.5,4\n1,0\n'
try ' x , y\r\n1,0\r\n.5,4\r\n0,0\r\n'
try 'y,x\n0,0\n4,.5\n0,1\n'
try 'x,z\n0,0\n1,0\n'
try 'x,y,y\n0,0,0\n1,0,0\n'
try 'x,y\n0,0\n1,0\n.5,4\n'
try 'x,y\n0,0\n.5,4,1\n1,0\n'
try 'x,y\n0,0\n.5\n1,0\n'
try 'x,y\n5,0\n6,4\n'
try ''
"$REGULA" solve m.rg --guess no.csv
echo "exit $?"
printf 'x,y\n0,0\n.5,4\n1,0\n' > g.csv
"$REGULA" check m.rg --guess g.csv | grep sensitivity
printf "param k = 1\nvar x = 1\nx' = -k*x\nover t = 0 .. 1\n" > ivp.rg
"$REGULA" solve ivp.rg --continue k=1..2
"$REGULA" solve ivp.rg --guess g.csv
printf "param k ~ 10\nvar y ~ sin(pi*x)\ny'' = -k*y\nover x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\nboundary y'(0) = 1\n" > e.rg
"$REGULA" solve e.rg --continue k=1..2
sed "s/y'(0)/y'''(0)/" e.rg > d.rg
"$REGULA" solve d.rg
sed -e 's/exp(y)/y/' m.rg > l.rg
"$REGULA" solve l.rg --method transfer --continue lambda=1..2
