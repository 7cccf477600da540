SRC += src/pdae/fitted/fitted.c
