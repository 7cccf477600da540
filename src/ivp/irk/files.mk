SRC += src/ivp/irk/create.c
SRC += src/ivp/irk/dense.c
SRC += src/ivp/irk/newton.c
SRC += src/ivp/irk/step.c
SRC += src/ivp/irk/theory.c
