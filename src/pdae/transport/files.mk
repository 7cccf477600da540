SRC += src/pdae/transport/scalar.c
