SRC += src/ivp/integrator.c
