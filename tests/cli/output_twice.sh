# Two outputs are never one file, by whatever names: paths, links, lines of the model, what is there on the way.
cp "$EXAMPLES/ivp/pendulum.rg" p.rg
refused() {
    "$REGULA" "$@" 2>&1 && echo "exit 0: $*"
}
refused solve p.rg --csv o.csv --svg o.csv
refused solve p.rg --csv o.csv --report ./o.csv
refused solve p.rg --csv o.csv --checkpoint "../${PWD##*/}/o.csv" | sed 's|\.\./[^/]*|FOLDER|'
refused solve p.rg --csv o.csv.part --svg o.csv
refused solve p.rg --vtk o --csv o.pvd
ln -s o.csv soft
refused solve p.rg --csv o.csv --svg soft
echo old > o.csv
ln o.csv hard
refused solve p.rg --csv o.csv --svg soft
refused solve p.rg --csv o.csv --svg hard
mkfifo pipe
refused solve p.rg --csv pipe --report pipe
refused solve p.rg --csv - --svg -
refused solve p.rg --json --svg -
refused solve p.rg --csv - --svg out > out
cat out
refused compare p.rg --methods radau --csv o.csv --svg o.csv
refused order p.rg --method radau --csv o.csv --svg o.csv
refused sweep p.rg --over l=1,2 --csv o.csv --report o.csv
echo 'solve svg = "o.csv"' >> p.rg
refused solve p.rg --csv o.csv
cat o.csv
"$REGULA" solve p.rg --to 1 --csv /dev/null --svg /dev/null --report /dev/null --quiet
echo "exit status $?"
ls
