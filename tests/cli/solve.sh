# tol: 2e-3
# floor: 1e-14    (constraint residuals after a projection)
# Steps and time depend on the integrator and the machine.
"$REGULA" solve "$EXAMPLES/ivp/pendulum.rg" | sed -e 's/[0-9]* steps and [0-9]* rejected/N steps/' -e 's/, [^ ]* s$/, S s/' -e 's/over the run: [^,]*/over the run: E/'
