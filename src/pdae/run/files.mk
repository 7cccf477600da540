SRC += src/pdae/run/values.c src/pdae/run/part.c src/pdae/run/scalars.c src/pdae/run/run.c src/pdae/run/start.c src/pdae/run/step.c \
       src/pdae/run/sides.c src/pdae/run/wells.c src/pdae/run/momentum.c src/pdae/run/porous.c src/pdae/run/read.c \
       src/pdae/run/determined.c src/pdae/run/matrix.c src/pdae/run/store.c src/pdae/run/coupled.c \
       src/pdae/run/timed.c src/pdae/run/closed.c
