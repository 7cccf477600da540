SRC += src/pdae/run/values.c src/pdae/run/part.c src/pdae/run/scalars.c src/pdae/run/run.c src/pdae/run/read.c \
       src/pdae/run/determined.c src/pdae/run/matrix.c src/pdae/run/store.c src/pdae/run/coupled.c \
       src/pdae/run/timed.c src/pdae/run/closed.c
