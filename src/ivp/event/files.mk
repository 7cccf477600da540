SRC += src/ivp/event/fire.c src/ivp/event/known.c src/ivp/event/locate.c src/ivp/event/run.c src/ivp/event/store.c src/ivp/event/watch.c
