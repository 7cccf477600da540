SRC += src/ivp/irk/create.c src/ivp/irk/newton.c src/ivp/irk/dense.c src/ivp/irk/step.c \
       src/ivp/irk/theory.c
