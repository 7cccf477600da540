SRC += src/pdae/mesh/grid.c
