SRC += src/pdae/transport/scalar.c
SRC += src/pdae/transport/scalar_solid.c
