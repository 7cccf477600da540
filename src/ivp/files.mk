SRC += src/ivp/branch.c src/ivp/events.c src/ivp/forces.c src/ivp/integrator.c src/ivp/layout.c src/ivp/mass.c src/ivp/pace.c src/ivp/pause.c src/ivp/degenerate.c
