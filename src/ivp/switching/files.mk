SRC += src/ivp/switching/behind.c src/ivp/switching/classes.c src/ivp/switching/jump.c src/ivp/switching/locate.c \
       src/ivp/switching/margins.c src/ivp/switching/rest.c src/ivp/switching/start.c \
       src/ivp/switching/step.c
