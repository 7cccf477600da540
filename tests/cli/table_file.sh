# Tables from files: what is read, and what is refused with file, line and column.
# tol: 1e-9
# floor: 1e-12
mkdir models
printf '\xef\xbb\xbf# measured\r\n\r\n"time", flow ,"x ""y"", z"\r\n0,1,5\r\n  1 , "3" ,6 # spoilt\r\n# 2,9,9\r\n3,2e0,7\r\n' \
    > models/data.csv
cat > models/m.rg <<'END'
table f(t) = file "data.csv" column "flow" by "time" linear
var x = 0
x' = f(t)
over t = 0 .. 3
output x, v = f(t)
END
"$REGULA" solve models/m.rg --tol 1e-10 --csv - --at 0,1,2,3 --quiet
printf 'time;flow\n0;2\n3;2\n' > other.csv
"$REGULA" solve models/m.rg --table f=other.csv --csv - --at 3 --quiet
sed 's/by "time"/by "x"/' models/m.rg > models/q.rg
"$REGULA" solve models/q.rg --quiet 2>&1
echo "exit $?"
"$REGULA" solve models/m.rg --table g=other.csv --quiet 2>&1
echo "exit $?"
"$REGULA" solve models/m.rg --table f --quiet 2>&1
echo "exit $?"
for text in 'time,flow\n0,1\n1,\n' 'time,flow\n0,1\n1,abc\n' 'time,flow\n0,1\n1\n' 'time,flow\n0,1\n2,1\n1,1\n' \
    'time,flow\n0,1\n0,2\n' 'time,flow\n0,1\n' 'time,flow\n' '' '0,1\n1,2\n' 'time,a,b\n0,1,1\n1,2,2\n' \
    'time,flow,flow\n0,1,1\n1,2,2\n' 'time,flow\n0,1\n1,nan\n' 'time,flow\n0,1\n1,"2\n' \
    'time,flow\n0,5,1,5\n1,2\n' 'time,flow\n0,1,\n3,2,,\n' 'time,flow,c\n0,1,1,1\n3,2,1\n'; do
    printf "$text" > models/data.csv
    "$REGULA" solve models/m.rg --quiet 2>&1
    echo "exit $?"
done
sed 's/ column "flow" by "time"//' models/m.rg > models/n.rg
printf 'time,flow\n0,1\n3,2\n' > models/data.csv
"$REGULA" solve models/n.rg --csv - --at 3 --quiet
printf 'time,flow,c\n0,1,1\n3,2,1\n' > models/data.csv
"$REGULA" solve models/n.rg --quiet 2>&1
rm models/data.csv
"$REGULA" solve models/m.rg --quiet 2>&1
echo "exit $?"
