cp "$EXAMPLES/ivp/pendulum.rg" m.rg
"$REGULA" compare m.rg --tol 1e-5 --methods gauss:stages=3,half-explicit:order=4,extrapolation:scheme=midpoint,\
lobatto-pair:stages=2:step=0.01,sdirk:order=3,rosenbrock,lobatto3a:stages=4,radau1a:stages=3:step=0.01 --csv a.csv > out
echo "exit $?"
cut -d, -f1 a.csv
