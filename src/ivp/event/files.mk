SRC += src/ivp/event/failed.c
SRC += src/ivp/event/fire.c
SRC += src/ivp/event/known.c
SRC += src/ivp/event/locate.c
SRC += src/ivp/event/run.c
SRC += src/ivp/event/store.c
SRC += src/ivp/event/watch.c
