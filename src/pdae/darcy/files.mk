SRC += src/pdae/darcy/darcy.c
