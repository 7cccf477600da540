SRC += src/pdae/transport/scalar.c src/pdae/transport/scalar_solid.c
