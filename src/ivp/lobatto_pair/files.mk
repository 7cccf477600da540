SRC += src/ivp/lobatto_pair/create.c src/ivp/lobatto_pair/step.c
