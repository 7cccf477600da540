SRC += src/ivp/rosenbrock/create.c src/ivp/rosenbrock/step.c
