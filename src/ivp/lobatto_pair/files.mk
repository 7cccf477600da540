SRC += src/ivp/lobatto_pair/create.c
SRC += src/ivp/lobatto_pair/step.c
