SRC += src/pdae/annulus/annulus.c
