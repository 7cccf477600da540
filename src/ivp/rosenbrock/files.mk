SRC += src/ivp/rosenbrock/create.c src/ivp/rosenbrock/kernels.c src/ivp/rosenbrock/step.c
