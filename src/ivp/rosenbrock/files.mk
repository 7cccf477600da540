SRC += src/ivp/rosenbrock/create.c
SRC += src/ivp/rosenbrock/kernels.c
SRC += src/ivp/rosenbrock/step.c
