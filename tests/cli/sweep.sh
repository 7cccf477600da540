# tol: 1e-4
# floor: 1e-5
# Sweeps: tables of all kinds of values, JSON, failures, exit statuses.
"$REGULA" example pendulum > p.rg
run() { "$REGULA" sweep p.rg --no-estimate "$@"; echo "exit $?"; }
run --over m=1,2 --over g=9..10:3 --to 1 --csv - --quiet
run --over m=1,2 --over g=9,10 --zip --to 1 --csv - --quiet
run --over m=0.1..10:3:log --over 'start(u)=0' --to 1 --csv - --quiet
run --over 'm=normal(1,0.1):2' --over 'g=uniform(9,10):2' --seed 7 --to 1 --csv - --quiet
printf 'g,m\n9,1\n9.5,2\n' > v.csv
run --over @v.csv --at 0.5,1 --csv - --quiet
run --over l=1,2 --to 1 --json
run --over l=1,2 --to 1
run --over l=2,3 --quiet
run --over x=1,2
run --over @w.csv
run --over l=1 --task auto
PBS_ARRAYID=2 run --over g=5..9:5 --task auto
SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 run --over g=5..9:5 --task auto --to 1 --csv - --quiet
PBS_ARRAYID=2 run --over g=5..9:5 --task auto/3 --to 1 --csv - --quiet
