# Odd values, files, tasks and tables of sweeps: exit 2, and each message names place, cause and what to do.
cp "$EXAMPLES/ivp/pendulum.rg" p.rg
printf 'g,l\n9,1\n10\n' > short.csv
printf 'g;l\n9;1\n' > semicolons.csv
printf 'g\n9\nabc\n' > text.csv
printf 'g\n' > header.csv
printf 'g,g\n1,2\n' > twice.csv
: > empty.csv
try() {
    echo "-- $*"
    "$REGULA" sweep p.rg --to 0.1 --no-estimate -q "$@" 2>&1
    echo "exit $?"
}
try
for spec in g g= g=1,,2 g=1..2 g=1..2:0 g=1..2:1 g=1..2:2.5 g=0..2:3:log g=1..2:3:lin 'g=normal(1):3' 'g=normal(1,-1):3' \
    'g=normal(1,2)' 'g=uniform(2,1):3' g=nan g=1..2:1e9 nowhere=1,2 p=1,2 'start(nowhere)=1' @short.csv @semicolons.csv @text.csv \
    @header.csv @twice.csv @empty.csv @missing.csv @.; do
    try --over "$spec"
done
try --over g=1,2 --over g=3,4
try --over g=1,2 --set g=3
try --over g=1,2 --over l=1,2,3 --zip
try --over 'g=normal(9,1):3' --over 'l=uniform(1,2):4'
for flags in "--seed 0" "--jobs 0" "--task 0/2" "--task 3/2" "--task 1/2/3" "--task auto" "--resume" "--checkpoint c" "--at 5"; do
    try --over g=9,10 $flags
done
SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=3 try --over g=9,10 --task auto
PBS_ARRAYID=2 try --over g=9,10 --task auto
PBS_ARRAYID=1.5 try --over g=9,10 --task auto/3
for k in 1 2 3; do "$REGULA" sweep p.rg --to 0.1 --no-estimate -q --over g=9..10:9 --task $k/3 --csv part$k.csv; done
head -c 200 part2.csv > torn.csv
sed 's/^4,/4.5,/' part1.csv > half.csv
gather() {
    echo "-- gather $*"
    "$REGULA" gather "$@" 2>&1
    echo "exit $?"
}
gather part1.csv part2.csv part3.csv
gather part1.csv part2.csv --csv all.csv
gather part1.csv part1.csv part2.csv part3.csv --csv all.csv
gather part1.csv part2.csv part3.csv --runs 8 --csv all.csv
gather part1.csv part2.csv part3.csv --runs 12 --csv all.csv
gather part1.csv torn.csv part3.csv --csv all.csv
gather half.csv part2.csv part3.csv --csv all.csv
gather short.csv --csv all.csv
gather . --csv all.csv
gather part1.csv part2.csv part3.csv --csv part1.csv
ls
