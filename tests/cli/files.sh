# Files of a run: no input is overwritten, links and modes are kept, two writers do not meet.
. "$(dirname "$0")/../support/stop.sh"
cp "$EXAMPLES/ivp/pendulum.rg" model.rg
echo "-- the model itself, by its name, by a link, by a second name"
"$REGULA" solve model.rg --csv model.rg --quiet; echo "exit $?"
ln -s model.rg link.csv
"$REGULA" solve model.rg --csv link.csv --quiet; echo "exit $?"
ln model.rg second.csv
"$REGULA" solve model.rg --csv second.csv --quiet; echo "exit $?"
"$REGULA" solve - --csv model.rg --quiet < model.rg; echo "exit $?"
cmp model.rg "$EXAMPLES/ivp/pendulum.rg" && echo "the model is whole"
rm link.csv second.csv

echo "-- a model called out.csv.part"
echo "var x = 1
x' = x^2
over t = 0 .. 2" > out.csv.part
cp out.csv.part copy.rg
"$REGULA" solve out.csv.part --csv out.csv --quiet 2> message; echo "exit $?"
cmp copy.rg out.csv.part && echo "the model is whole"
sed -n "s/.*rows so far are in 'out.csv.part-[0-9]*-0'.*/named/p" message
rm -f out.csv.part*

echo "-- no name"
"$REGULA" solve model.rg --csv ""; echo "exit $?"

echo "-- the mode of the old file, while it is written too"
touch private.csv
chmod 600 private.csv
"$REGULA" solve model.rg --csv private.csv --quiet; stat -c %a private.csv
umask 027
"$REGULA" solve model.rg --csv fresh.csv --quiet; stat -c %a fresh.csv
umask 022

echo "-- a link is followed, one at the name of the rows so far is not"
mkdir deep
ln -s deep/target.csv link.csv
"$REGULA" solve model.rg --csv link.csv --quiet
[ -L link.csv ] && head -n 1 deep/target.csv
echo "precious" > precious
ln -s precious stop.csv.part
"$REGULA" solve copy.rg --csv stop.csv --quiet 2> /dev/null
cat precious
[ ! -L stop.csv.part ] && head -n 1 stop.csv.part

echo "-- two writers"
for k in 1 2 3 4; do "$REGULA" solve model.rg --points 3001 --csv both.csv --quiet & done
wait
wc -l < both.csv
awk -F, 'NF != 4' both.csv | wc -l

echo "-- a file that may not grow, without a trap in the shell"
(ulimit -f 8; "$REGULA" solve model.rg --points 10000 --csv limit.csv --quiet 2> /dev/null; echo "exit $?")
[ -s limit.csv.part ] && echo "rows are kept"

echo "-- the end of the terminal, and nohup"
begin_long hang.csv --quiet
kill -HUP $!
wait $!
echo "exit $?"
[ -s hang.csv.part ] && echo "rows are kept"
(trap '' HUP; "$REGULA" solve model.rg --points 200001 --tol 1e-9 --csv nohup.csv --quiet & until ls nohup.csv* > /dev/null 2>&1; do :; done; kill -HUP $!; wait $!; echo "exit $?")
ls
