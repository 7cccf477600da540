SRC += src/ivp/switching/accept.c src/ivp/switching/approach.c src/ivp/switching/behind.c src/ivp/switching/classes.c \
       src/ivp/switching/create.c src/ivp/switching/cross.c src/ivp/switching/jump.c src/ivp/switching/locate.c \
       src/ivp/switching/margins.c src/ivp/switching/rest.c src/ivp/switching/search.c src/ivp/switching/start.c \
       src/ivp/switching/step.c src/ivp/switching/store.c src/ivp/switching/trial.c
